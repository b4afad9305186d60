import { z } from "zod";
import { ClockInfo } from "./app";

export const FaultView = z.object({
  id: z.string(),
  on: z.string(),
  fault: z.string(),
  times: z.number().int(),
  fired: z.number().int(),
});

export const SandboxPanel = z.object({
  url: z.string(),
  faults: z.array(FaultView),
  records: z.object({
    cms: z.object({
      createCalls: z.number().int(),
      objects: z.array(z.object({ id: z.string(), slug: z.string(), status: z.string(), key: z.string() })),
    }),
    mail: z.object({
      createCalls: z.number().int(),
      triggerCalls: z.number().int(),
      campaigns: z.array(z.object({ id: z.string(), status: z.string(), key: z.string() })),
      mailings: z.number().int(),
    }),
  }),
  staleProbes: z.number().int(),
  bounces: z.number().int(),
  clock: ClockInfo,
});
