// The tokenizers that open quickly, and three of them in a run of everything; all of them are in the full run.
import { isHurried } from "../support/counts.ts";
import { expectRequestsBounded, expectTextsBounded } from "../tokenizers/bound-suite.ts";
import type { TokenizerName } from "../tokenizers/tokenizers.ts";

const NAMES: readonly TokenizerName[] = [
  ...(["o200k", "claude", "tekken"] as const),
  ...(isHurried ? [] : (["mistral", "llama2", "llama3"] as const)),
];

expectTextsBounded(NAMES);
expectRequestsBounded(NAMES);
