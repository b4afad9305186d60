import type { PipelineRuntime } from "../../engine/runtime";
import { chainRuntime } from "../action-chain/runtime";
import { membershipChain } from "./chain";
import { chainPorts, type MembershipPorts } from "./ports";

/** The cancellation of a membership as the engine runs it. */
export const membershipRuntime = (ports: MembershipPorts): PipelineRuntime =>
  chainRuntime(chainPorts(ports), membershipChain);
