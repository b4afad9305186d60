import { crashes } from "../../main/sandbox/scenarios/crashes";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(crashes.title.en, crashes.scenarios);
