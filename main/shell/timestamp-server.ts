import { z } from "zod";
import type { EvidenceDeskOptions } from "../compose/evidence-desk";
import { readSmall, writeWhole } from "./small-file";

const Setting = z.object({ url: z.string().max(500).nullable() });

/** Which time-stamp server bundles may be sent to: none, until a person names one. */
export function openTimestampServer(
  file: string,
  report: (code: string) => void,
): EvidenceDeskOptions["timestampServer"] {
  const { value, problem } = readSmall(file, Setting, { url: null });
  if (problem !== null) report(`time_stamp_${problem}`);
  let { url } = value;
  return {
    read: () => url,
    write: (wanted) => {
      try {
        // What could not be read and not be set aside is somebody's file still.
        if (problem === "unreadable") return false;
        writeWhole(file, `${JSON.stringify({ url: wanted })}\n`);
        url = wanted;
        return true;
      } catch {
        // The person sees that it was not saved.
        return false;
      }
    },
  };
}
