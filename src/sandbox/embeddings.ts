import { yieldToLoop } from "../lib/yield-to-loop.ts";
import { wordsOf } from "./answering/words.ts";
import { hash } from "./hash.ts";
import type { JsonRecord } from "./json.ts";
import { BadPrompt, wrongType } from "./reading/prompt.ts";
import { readModel, readNumber } from "./reading/read-fields.ts";
import { countTokens } from "./tokens.ts";

const DIMENSIONS = 256;
const DIMENSIONS_MAX = 512;
const TOKENS_MAX = 8_192;
/** So many texts in one go, then other work gets its step. */
const TEXTS_PER_TICK = 32;

/** A text, or the tokens of one. */
type Input = string | readonly number[];

export interface EmbeddingsPrompt {
  readonly model: string;
  readonly inputs: readonly Input[];
  readonly dimensions: number;
  readonly base64: boolean;
  readonly inputTokens: number;
}

/** Reads a request for embeddings, or throws a BadPrompt. */
export function readEmbeddingsPrompt(body: JsonRecord): EmbeddingsPrompt {
  const { id } = readModel(body, "embeddings");
  const range = { min: 1, max: DIMENSIONS_MAX, integer: true };
  const inputs = readInputs(body.input);
  const counts = inputs.map((input) =>
    typeof input === "string" ? countTokens(input) : input.length,
  );
  if (counts.some((count) => count > TOKENS_MAX)) {
    const message = `This model reads ${TOKENS_MAX} tokens of a text. Send shorter texts in 'input'.`;
    throw new BadPrompt(message, "input", "context_length_exceeded");
  }
  return {
    model: id,
    inputs,
    dimensions: readNumber(body, "dimensions", range) ?? DIMENSIONS,
    base64: body.encoding_format === "base64",
    inputTokens: counts.reduce((sum, count) => sum + count, 0),
  };
}

function readInputs(input: unknown): Input[] {
  const isInput = (value: unknown): value is Input =>
    typeof value === "string" || (Array.isArray(value) && value.every(Number.isInteger));
  if (isInput(input) && input.length > 0) return [input];
  if (Array.isArray(input) && input.length > 0 && input.every(isInput)) return input;
  throw wrongType("input", "a text, texts or tokens");
}

/** The answer as JSON, without its usage where `inputTokens` is null. */
export async function writeEmbeddings(
  prompt: EmbeddingsPrompt,
  inputTokens: number | null,
): Promise<string> {
  const data: string[] = [];
  for (const [index, input] of prompt.inputs.entries()) {
    if (index % TEXTS_PER_TICK === TEXTS_PER_TICK - 1) await yieldToLoop();
    const vector = vectorOf(input, prompt.dimensions);
    const embedding = prompt.base64 ? Buffer.from(vector.buffer).toString("base64") : [...vector];
    data.push(JSON.stringify({ object: "embedding", index, embedding }));
  }
  const usage = { prompt_tokens: inputTokens, total_tokens: inputTokens };
  const tail = inputTokens === null ? "" : `,"usage":${JSON.stringify(usage)}`;
  return `{"object":"list","data":[${data.join()}],"model":${JSON.stringify(prompt.model)}${tail}}`;
}

/** Each word and its beginning push the vector their own way: texts with the same words end up near. */
function vectorOf(input: Input, dimensions: number): Float32Array {
  const words = typeof input === "string" ? wordsOf(input) : input.map((token) => `#${token}`);
  const vector = new Float32Array(dimensions);
  for (const word of words) {
    // Short words are in every text.
    const weight = word.length > 3 || /\P{ASCII}/u.test(word) ? 1 : 0.3;
    for (const feature of [word, `${word.slice(0, 4)}…`]) {
      const place = hash(feature);
      const at = place % dimensions;
      vector[at] = (vector[at] ?? 0) + (place & 0x10000 ? weight : -weight);
    }
  }
  const length = Math.hypot(...vector);
  if (length === 0) return vector.fill(1 / Math.sqrt(dimensions));
  return vector.map((value) => value / length);
}
