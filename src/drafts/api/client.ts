import type { DraftService } from "../draft-service.ts";
import type { AskModel } from "../writing/model-answer.ts";
import type { Doer } from "./work/box-work.ts";

/** Somebody who works on drafts: whose they are, in whose name, and who pays for what a model writes. */
export interface Client extends Doer {
  /** In words: a person's address, or the name of a key. */
  readonly by: string;
  readonly ask: AskModel;
}

/** What is needed to do it. */
export interface DraftServices {
  readonly draftService: DraftService;
  /** Whether this installation publishes at all. */
  readonly publishOn: boolean;
}
