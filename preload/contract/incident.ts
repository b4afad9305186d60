import { z } from "zod";
import { ForTask, Instant, Version } from "./primitives";

/** An open incident that freezes an edition's writes: what is affected, since when, and which objects are known. */
export const IncidentView = z.object({
  id: z.string(),
  rule: z.string(),
  scope: z.string(),
  scopeValue: z.string(),
  openedAt: Instant,
  openedBy: z.string(),
  objects: z.array(z.object({ remoteId: z.string(), url: z.string().nullable(), state: z.string() })),
  /** Under which key the edition after this one will be. */
  nextTaskKey: z.string(),
});

/**
 * What only a person can bring to the closing of an incident; what can be observed is looked up at that moment. Blank fields are
 * let through: the answer names every piece that is missing.
 */
export const CloseIncident = ForTask.extend({
  expectedVersion: Version,
  incidentId: z.string().min(1).max(80),
  canonicalId: z.string().max(200).nullable(),
  schedulerReleased: z.string().max(2000),
  drafterReleased: z.string().max(2000),
  nextTaskKey: z.string().max(200),
  reason: z.string().max(2000),
});
