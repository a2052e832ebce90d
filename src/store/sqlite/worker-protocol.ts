import type { AccountsWriter } from "./accounts-writer.ts";
import type { ConsoleWriter } from "./console-writer.ts";
import type { Journal } from "./journal/journal.ts";
import type { BodiesWriter } from "./responses/bodies-writer.ts";
import type { KeptAnswersWriter } from "./responses/kept-answers-writer.ts";
import type { ResponsesWriter } from "./responses/responses-writer.ts";

/** What a writer thread is started with. */
export interface WorkerSettings {
  readonly path: string;
  readonly create: boolean;
  readonly owner: string;
}

/** What the main thread may call of each file's writer. */
export interface WriterTargets {
  readonly money: readonly [Journal, AccountsWriter];
  readonly responses: readonly [ResponsesWriter, KeptAnswersWriter, BodiesWriter];
  readonly console: readonly [ConsoleWriter];
}
