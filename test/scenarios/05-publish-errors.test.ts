import { publishErrors } from "../../main/sandbox/scenarios/publish-errors";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(publishErrors.title.en, publishErrors.scenarios);
