import { serveMethods } from "../../lib/threads/worker-port.ts";
import { ConsoleWriter } from "./console-writer.ts";
import { closeFile, openFile } from "./database.ts";
import type { WorkerSettings, WriterTargets } from "./worker-protocol.ts";

serveMethods<WorkerSettings, WriterTargets["console"]>(({ path }) => {
  const db = openFile(path, { create: true, synchronous: "FULL", safeIntegers: true });
  return { targets: [new ConsoleWriter(db)], close: () => closeFile(db) };
});
