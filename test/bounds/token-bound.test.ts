// The tokenizers that open quickly; all of them are in the full run.
import { expectRequestsBounded, expectTextsBounded } from "../tokenizers/bound-suite.ts";
import type { TokenizerName } from "../tokenizers/tokenizers.ts";

const NAMES: readonly TokenizerName[] = [
  "o200k",
  "claude",
  "tekken",
  "mistral",
  "llama2",
  "llama3",
];

expectTextsBounded(NAMES);
expectRequestsBounded(NAMES);
