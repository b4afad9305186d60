import type { ChainPorts, ChainService } from "../action-chain/ports";

/** What the cancellation of a membership needs from outside. `compose` brings it. */
export interface MembershipPorts extends Omit<ChainPorts, "serviceOf"> {
  /** A shop's members and their vouchers. */
  members: ChainService;
  /** A gateway for short messages. */
  messages: ChainService;
}

/** The same as a chain asks for it. @throws Error for a service that the cancellation has not. */
export function chainPorts({ members, messages, ...rest }: MembershipPorts): ChainPorts {
  const services = [members, messages];
  return {
    ...rest,
    serviceOf: (name) => {
      const found = services.find((service) => service.name === name);
      if (!found) throw new Error(`a membership's cancellation has no service ${name}`);
      return found;
    },
  };
}
