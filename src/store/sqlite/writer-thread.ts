import { StorageError } from "../../lib/faults.ts";
import { type MethodsOf, WorkerPort } from "../../lib/threads/worker-port.ts";
import type { WorkerSettings, WriterTargets } from "./worker-protocol.ts";

type Role = keyof WriterTargets;

/**
 * The thread that owns a file's writing connection. Commits and their flushes happen there, so that
 * a slow disk never stalls the loop that relays bytes.
 */
export type WriterThread<Of extends Role> = WorkerPort<MethodsOf<WriterTargets[Of]>>;

const FILES: Readonly<Record<Role, URL>> = {
  money: new URL("./money-worker.ts", import.meta.url),
  responses: new URL("./responses/responses-worker.ts", import.meta.url),
  console: new URL("./console-worker.ts", import.meta.url),
};

export function startWriter<Of extends Role>(
  role: Of,
  settings: WorkerSettings,
  check = () => {},
): Promise<WriterThread<Of>> {
  return WorkerPort.open({
    worker: new Worker(FILES[role]),
    ...{ settings, check },
    closed: "the store is closed",
    ended: "the writer thread has ended",
    error: (message, options) => new StorageError(message, options),
  });
}
