import { sources } from "../../main/sandbox/scenarios/sources";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(sources.title.en, sources.scenarios);
