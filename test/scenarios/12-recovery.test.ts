import { recovery } from "../../main/sandbox/scenarios/recovery";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(recovery.title.en, recovery.scenarios);
