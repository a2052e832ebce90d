import type { SandboxAnswer } from "../answering/answer.ts";
import type { TokenCounts } from "../faults.ts";
import type { MakeId } from "../ids.ts";
import type { Prompt } from "../reading/prompt.ts";

/** An answer that is to be written, by either wire. */
export interface AnswerJob {
  readonly prompt: Prompt;
  readonly answer: SandboxAnswer;
  readonly counts: TokenCounts | null;
  readonly makeId: MakeId;
  readonly nowMs: number;
}
