import { dirname } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { serveMethods } from "../../lib/threads/worker-port.ts";
import { AccountsWriter } from "./accounts-writer.ts";
import { closeFile, openFile } from "./database.ts";
import { markFileIn } from "./files.ts";
import { Journal } from "./journal/journal.ts";
import { JournalMark } from "./journal/journal-mark.ts";
import type { WorkerSettings, WriterTargets } from "./worker-protocol.ts";

serveMethods<WorkerSettings, WriterTargets["money"]>(({ path, create, owner }) => {
  const db = openFile(path, { create, synchronous: "FULL" });
  const mark = JournalMark.open(markFileIn(dirname(path)));
  const journal = new Journal(db, owner, systemClock, mark);
  journal.begin();
  const accounts = new AccountsWriter(db, systemClock, () => journal.settleUp([]));
  return {
    targets: [journal, accounts],
    close() {
      journal.end();
      closeFile(db);
    },
  };
});
