import type { AccountsWriter } from "./accounts-writer.ts";
import type { ConsoleWriter } from "./console-writer.ts";
import type { MoneyWriter } from "./money-writer.ts";
import type { BodiesWriter } from "./responses/bodies-writer.ts";
import type { KeptAnswersWriter } from "./responses/kept-answers-writer.ts";
import type { ResponsesWriter } from "./responses/responses-writer.ts";

/** What a writer thread is started with. */
export interface WorkerSettings {
  readonly path: string;
  readonly create: boolean;
  readonly owner: string;
}

/** Results of a batch of which some failed: the failures, and by position what became of the others. */
export interface PartlyFailed {
  readonly results: string;
  readonly failures: readonly (readonly [position: number, failure: string])[];
}

interface BatchWriter {
  /** Takes packed operations and packs what became of them. */
  writeBatch(batch: string): string | PartlyFailed;
}

/** What the main thread may call of each file's writer. */
export interface WriterTargets {
  readonly money: readonly [BatchWriter, AccountsWriter, Pick<MoneyWriter, "ping" | "recover">];
  readonly responses: readonly [ResponsesWriter, KeptAnswersWriter, BodiesWriter];
  readonly console: readonly [ConsoleWriter];
}
