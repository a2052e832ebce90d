import { describeAttachment } from "../reading/content.ts";
import {
  isFromUser,
  lastUserStep,
  type Prompt,
  type PromptStep,
  resultsSinceUser,
} from "../reading/prompt.ts";
import { sumIn } from "./arithmetic.ts";
import { longTextFor } from "./long-text.ts";
import { recall } from "./recall.ts";
import { literalRequestIn, withStandingOrder } from "./said.ts";
import { crop } from "./words.ts";

const QUOTE_CHARS_MAX = 110;
const RESULT_CHARS_MAX = 400;
const ANSWER_CHARS_MAX = 500_000;
/** Longer instructions are an agent's manual: nothing in it is meant to be quoted or obeyed here. */
const INSTRUCTIONS_CHARS_MAX = 1_500;

/** What the model says in plain text: the first rule that applies answers. */
export function answerText(prompt: Prompt): string {
  const isInstruction = (step: PromptStep) => step.kind === "message" && step.role === "system";
  const instructions = prompt.steps
    .filter(isInstruction)
    .map((step) => step.text)
    .join("\n");
  if (instructions.length <= INSTRUCTIONS_CHARS_MAX) {
    const text = plainText(prompt.steps, instructions).slice(0, ANSWER_CHARS_MAX);
    return withStandingOrder(text, instructions);
  }
  const steps = prompt.steps.filter((step) => !isInstruction(step));
  return plainText(steps, "").slice(0, ANSWER_CHARS_MAX);
}

function plainText(steps: readonly PromptStep[], instructions: string): string {
  const message = lastUserStep(steps)?.text ?? "";
  const results = resultsSinceUser(steps);
  if (results.length > 0) return results.map((result) => quoteResult(result.text)).join(" ");
  const literal = literalRequestIn(message);
  if (literal !== null) return literal;
  const attachments = lastUserStep(steps)?.attachments ?? [];
  if (attachments.length > 0) {
    const received = `I received ${attachments.map(describeAttachment).join(" and ")}.`;
    return message === "" ? received : `${received} You wrote: “${crop(message, QUOTE_CHARS_MAX)}”`;
  }
  const long = longTextFor(message);
  if (long !== null) return long;
  const sum = sumIn(message);
  if (sum !== null) return `${sum.expression} = ${sum.value}`;
  return literalRequestIn(instructions) ?? recall(steps, message) ?? echo(steps, message);
}

function echo(steps: readonly PromptStep[], message: string): string {
  const count = steps.filter(isFromUser).length;
  if (message.trim() === "") return "This is the sandbox model. Say something and it answers.";
  const quote = crop(message, QUOTE_CHARS_MAX);
  return `You said: “${quote}” This is the sandbox model, turn ${count}.`;
}

function quoteResult(text: string): string {
  if (text.trim() === "") return "The tool returned nothing.";
  return `The tool returned: ${crop(text, RESULT_CHARS_MAX)}`;
}
