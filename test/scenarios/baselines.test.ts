import { baselines } from "../../main/sandbox/scenarios/baselines";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen("Baselines", baselines);
