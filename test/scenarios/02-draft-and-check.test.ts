import { draftAndCheck } from "../../main/sandbox/scenarios/draft-and-check";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(draftAndCheck.title.en, draftAndCheck.scenarios);
