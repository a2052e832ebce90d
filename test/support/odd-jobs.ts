// What a thread of a pool is asked to do in tests.
import { openSync, readSync } from "node:fs";
import { workInThread } from "../../src/lib/threads/thread.ts";

export type OddJob =
  | { readonly kind: "echo"; readonly text: string }
  | { readonly kind: "throw" }
  | { readonly kind: "loop" }
  | { readonly kind: "die" }
  /** Answers once the first number of the shared array is no longer zero. */
  | { readonly kind: "hold"; readonly gate: SharedArrayBuffer }
  /** Says in the shared array that it has begun; no end of the thread ends it before the pipe is written to. */
  | { readonly kind: "stick"; readonly begun: SharedArrayBuffer; readonly pipe: string };

workInThread<OddJob, string>(async (job) => {
  switch (job.kind) {
    case "throw":
      throw new Error("an odd job broke");
    case "die":
      process.exit(1);
      break;
    case "hold":
      Atomics.wait(new Int32Array(job.gate), 0, 0);
      return "held";
    case "stick":
      Atomics.store(new Int32Array(job.begun), 0, 1);
      readSync(openSync(job.pipe, "r"), new Uint8Array(1));
      return "stuck no more";
    case "loop":
      for (;;);
  }
  return job.kind === "echo" ? job.text : "";
});
