import { publicPage } from "../../main/sandbox/scenarios/public-page";
import { holdAgainstFrozen } from "./frozen";

holdAgainstFrozen(publicPage.title.en, publicPage.scenarios);
