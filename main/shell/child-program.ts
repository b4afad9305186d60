import { utilityProcess } from "electron";
import type { StartChild } from "../compose/child-program";

/** Starts a program in a process of its own: what it does, or dies of, is nothing to the window and the open workspace. */
export const startChild: StartChild = (file) => {
  const child = utilityProcess.fork(file, [], { serviceName: "Imprimatur work", stdio: "ignore" });
  let isUnwanted = false;
  // Before it has a process there is nothing to end.
  child.once("spawn", () => isUnwanted && child.kill());
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on("message", listener),
    onEnd: (listener) => void child.once("exit", listener),
    end: () => {
      isUnwanted = true;
      child.kill();
    },
  };
};
