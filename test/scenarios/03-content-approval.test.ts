import { contentApproval } from "../../main/sandbox/scenarios/content-approval";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(contentApproval.title.en, contentApproval.scenarios);
