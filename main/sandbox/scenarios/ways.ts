import type { ScenarioStage } from "./stage";

/** The operator finds everything right; the edition goes as far as it goes. */
export const toTheEnd = async (stage: ScenarioStage): Promise<void> => {
  await stage.workTo("succeeded");
};

/** As far as a person is asked about the content, or the work stops before. */
export const toTheReview = async (stage: ScenarioStage): Promise<void> => {
  await stage.work();
};
