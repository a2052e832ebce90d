import * as z from "../../lib/schemas.ts";
import { codePoints } from "../../wechat/measure.ts";
import {
  type AskModel,
  type ModelText,
  parseJsonText,
  readModelText,
  writingFault,
} from "./model-answer.ts";
import { type LongText, shortenRequest } from "./prompts.ts";

export interface ShortenRequest {
  readonly model: string;
  readonly field: string;
  readonly text: string;
  readonly limit: number;
}

const shorterSchema = z.record(z.string(), z.unknown());

/** Only a string is a text: whatever else a model gives would become words that nobody wrote. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** What the model made of each text; one that it made no shorter is not among them. */
export async function shorten(
  ask: AskModel,
  model: string,
  long: readonly LongText[],
): Promise<{ readonly words: Readonly<Record<string, string>>; readonly answer: ModelText }> {
  const answer = await readModelText(await ask(shortenRequest(model, long)), "shorten");
  const read = shorterSchema.safeParse(parseJsonText(answer.text));
  const words: Record<string, string> = {};
  for (const { field, found } of long) {
    const text = read.success ? textOf(read.data[field]) : "";
    if (text !== "" && codePoints(text) < found) words[field] = text;
  }
  return { words, answer };
}

/** One text, for somebody who looks at the result before it is used. */
export async function shortenText(ask: AskModel, { model, field, text, limit }: ShortenRequest) {
  const long = { field, text, limit, found: codePoints(text) };
  const { words, answer } = await shorten(ask, model, [long]);
  const shorter = words[field];
  if (shorter === undefined) throw writingFault("The model made the text no shorter.", answer);
  return { text: shorter, call: answer.call };
}
