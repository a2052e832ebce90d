import { serveMethods } from "../../../lib/threads/worker-port.ts";
import { closeFile, openFile } from "../database.ts";
import type { WorkerSettings, WriterTargets } from "../worker-protocol.ts";
import { BodiesWriter } from "./bodies-writer.ts";
import { KeptAnswersWriter } from "./kept-answers-writer.ts";
import { ResponsesWriter } from "./responses-writer.ts";

serveMethods<WorkerSettings, WriterTargets["responses"]>(({ path, owner }) => {
  const db = openFile(path, { create: true, synchronous: "NORMAL" });
  const answers = new KeptAnswersWriter(db, owner);
  return {
    targets: [new ResponsesWriter(db), answers, new BodiesWriter(db)],
    close: () => closeFile(db),
  };
});
