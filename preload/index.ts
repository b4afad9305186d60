import { contextBridge, type IpcRendererEvent, ipcRenderer } from "electron";
import { channels, events } from "./channels";
import type { Api } from "./contract";

const allowedChannels = new Set<string>(channels);
const allowedEvents = new Set<string>(events);

/**
 * The renderer's only way out. Names that are not on the lists are refused here, before they reach the main process, and
 * listeners get the value alone: the event object would hand the page a sender, and with it every channel there is.
 */
const api: Api = {
  invoke: (channel, input) =>
    allowedChannels.has(channel)
      ? ipcRenderer.invoke(channel, input)
      : Promise.reject(new Error("this channel is not on the list")),
  on: (event, listener) => {
    if (!allowedEvents.has(event)) throw new Error("this event is not on the list");
    const forward = (_event: IpcRendererEvent, value: unknown) => listener(value);
    ipcRenderer.on(event, forward);
    return () => {
      ipcRenderer.removeListener(event, forward);
    };
  },
};

contextBridge.exposeInMainWorld("api", api);
