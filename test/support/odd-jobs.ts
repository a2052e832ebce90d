// What a thread of a pool is asked to do in tests.
import { workInThread } from "../../src/lib/thread.ts";

export type OddJob =
  | { readonly kind: "echo"; readonly text: string }
  | { readonly kind: "throw" }
  | { readonly kind: "loop" }
  | { readonly kind: "die" }
  /** Answers once the first number of the shared array is no longer zero. */
  | { readonly kind: "hold"; readonly gate: SharedArrayBuffer };

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
    case "loop":
      for (;;);
  }
  return job.kind === "echo" ? job.text : "";
});
