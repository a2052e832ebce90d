import { sumIn } from "./arithmetic.ts";
import { describeAttachment } from "./attachments.ts";
import { decorate, decorationsIn, literalRequestIn } from "./literal-requests.ts";
import { longTextFor } from "./long-text.ts";
import { mentionsIn } from "./mentions.ts";
import {
  type Attachment,
  lastUserTurn,
  type Prompt,
  resultsSinceUser,
  type Turn,
} from "./prompt.ts";
import { recall } from "./recall.ts";
import { countShared, crop, stemsOf } from "./words.ts";

const QUOTE_CHARS_MAX = 110;
const RECALL_CHARS_MAX = 180;
const RESULT_CHARS_MAX = 400;
/** Orders to say something are obeyed in short instructions only: agents send whole manuals. */
const ORDERS_CHARS_MAX = 1_500;

/** What the model says in plain text: the first rule that applies answers. */
export function answerText(prompt: Prompt): string {
  const user = lastUserTurn(prompt.turns);
  const message = user?.text ?? "";
  const instructions = instructionsOf(prompt.turns);
  const short = message.length <= ORDERS_CHARS_MAX ? message : "";
  const decorations = decorationsIn(`${instructions}\n${short}`);
  return decorate(plainText(prompt.turns, message, instructions), decorations);
}

function plainText(turns: readonly Turn[], message: string, instructions: string): string {
  const results = resultsSinceUser(turns);
  if (results.length > 0) return results.map((result) => quoteResult(result.text)).join(" ");
  const attachments = lastUserTurn(turns)?.attachments ?? [];
  if (attachments.length > 0) return describeAll(attachments, turns, message);
  const literal = literalRequestIn(message);
  if (literal !== null) return literal;
  const long = longTextFor(message);
  if (long !== null) return long;
  const sum = sumIn(message);
  if (sum !== null) return `${sum.expression} = ${sum.value}`;
  const order = literalRequestIn(instructions);
  if (order !== null) return order;
  const remembered = recall(turns, message);
  if (remembered !== null) return quoteMemory(remembered, message);
  return echo(turns, message);
}

function echo(turns: readonly Turn[], message: string): string {
  const count = turns.filter((turn) => turn.kind === "message" && turn.role === "user").length;
  if (message.trim() === "") return "This is the sandbox model. Say something and it answers.";
  const quote = crop(message, QUOTE_CHARS_MAX);
  return `You said: “${quote}” This is the sandbox model, turn ${count}.`;
}

const WANTS_VALUE = /\b(?:just|only|single word|one word|nothing else)\b/iu;

/** The remembered sentence, or only the value in it when the message asks for no more. */
function quoteMemory(sentence: string, message: string): string {
  const value = WANTS_VALUE.test(message) ? valueIn(sentence, stemsOf(message)) : null;
  return value ?? `From what was said: “${crop(sentence, RECALL_CHARS_MAX)}”`;
}

/** What a sentence says about the words it was asked for: the thing named after the last one. */
function valueIn(sentence: string, asked: ReadonlySet<string>): string | null {
  const words = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)];
  const last = words.findLast((word) => countShared(stemsOf(word[0]), asked) > 0);
  const rest = last === undefined ? sentence : sentence.slice(last.index + last[0].length);
  const ending = rest.match(/[\p{L}\p{N}_-]+(?=[.!]*$)/u)?.[0];
  return mentionsIn(rest)[0] ?? ending ?? null;
}

function quoteResult(text: string): string {
  if (text.trim() === "") return "The tool returned nothing.";
  return `The tool returned: ${crop(text, RESULT_CHARS_MAX)}`;
}

function describeAll(
  attachments: readonly Attachment[],
  turns: readonly Turn[],
  message: string,
): string {
  const received = `I received ${attachments.map(describeAttachment).join(" and ")}.`;
  if (message.trim() === "") return received;
  const literal = literalRequestIn(message);
  if (literal !== null) return literal;
  const remembered = recall(turns, message);
  const rest = remembered ?? message;
  const source = remembered === null ? "You wrote" : "Earlier";
  return `${received} ${source}: “${crop(rest, QUOTE_CHARS_MAX)}”`;
}

function instructionsOf(turns: readonly Turn[]): string {
  const instructions = turns
    .filter((turn) => turn.kind === "message" && turn.role === "system")
    .map((turn) => turn.text)
    .join("\n");
  return instructions.length <= ORDERS_CHARS_MAX ? instructions : "";
}
