import type { ExternalWrite } from "../../domain/metrics-coverage";
import type { BriefingPorts } from "./ports";

/** Every external write of the briefing, whichever of them an edition takes: a page is made once and updated afterwards. */
export function briefingWrites({ cms, mail }: Pick<BriefingPorts, "cms" | "mail">): ExternalWrite[] {
  const page = (["create", "update", "publish"] as const).map((phase) => ({
    ...{ step: "publishing", adapter: cms.name, phase },
  }));
  const mailing = (["create", "trigger"] as const).map((phase) => ({
    ...{ step: "sending", adapter: mail.name, phase },
  }));
  return [...page, ...mailing];
}
