import { ConsoleWriter } from "./console-writer.ts";
import { openFile } from "./database.ts";
import { handlerOf, serveWriter } from "./worker.ts";

serveWriter(({ path }) => {
  const db = openFile(path, { create: true, synchronous: "FULL", safeIntegers: true });
  return handlerOf(db, new ConsoleWriter(db));
});
