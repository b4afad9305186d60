import { leasesAndTimers } from "../../main/sandbox/scenarios/leases-and-timers";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(leasesAndTimers.title.en, leasesAndTimers.scenarios);
