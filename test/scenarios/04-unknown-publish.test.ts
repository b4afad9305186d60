import { unknownPublish } from "../../main/sandbox/scenarios/unknown-publish";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(unknownPublish.title.en, unknownPublish.scenarios);
