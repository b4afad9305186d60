import { unknownSend } from "../../main/sandbox/scenarios/unknown-send";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(unknownSend.title.en, unknownSend.scenarios);
