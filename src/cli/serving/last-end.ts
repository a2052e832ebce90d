// A thread that ends its process when all its time is over: the thread in which everything else runs may stand still,
// with a disk that does not answer, or for somebody who does not read the log. So it says nothing itself.
import { inThread } from "../../lib/threads/thread.ts";

export interface LastEnd {
  readonly afterMs: number;
}

let timer: Timer | undefined;

inThread<LastEnd, never>(({ afterMs }) => {
  clearTimeout(timer);
  timer = setTimeout(() => process.kill(process.pid, "SIGKILL"), afterMs);
});
