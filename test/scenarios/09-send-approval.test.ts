import { sendApproval } from "../../main/sandbox/scenarios/send-approval";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(sendApproval.title.en, sendApproval.scenarios);
