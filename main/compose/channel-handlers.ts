import type { Channel, Input, Output } from "../../preload/contract";

/** What answers each channel. */
export type Handlers = { [C in Channel]: (input: Input<C>) => Promise<Output<C>> | Output<C> };
