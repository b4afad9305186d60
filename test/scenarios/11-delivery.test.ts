import { delivery } from "../../main/sandbox/scenarios/delivery";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(delivery.title.en, delivery.scenarios);
