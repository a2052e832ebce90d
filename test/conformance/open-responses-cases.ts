// The questions of the Open Responses suite in words of our own, about things nobody has heard of, so
// that an answer is only right when all of the question has reached the model.

import type { Chance } from "./chance.ts";
import type { Json } from "./frames.ts";
import type { responseShape } from "./open-responses-shapes.ts";
import { blackPng } from "./png.ts";

type ResponseObject = ReturnType<typeof responseShape.parse>;

interface Case {
  readonly body: Json;
  /** What the answer must contain, in its text or in the arguments of its call. */
  readonly contains: string;
  readonly item: "message" | "function_call";
}

export type CaseName = keyof typeof CASES;

const said = (role: string, content: unknown, more: Json = {}): Json => ({
  type: "message",
  role,
  content,
  ...more,
});

/** A tool of one text, and a message that asks for it. */
export function textTool(chance: Chance) {
  const name = chance.identifier();
  const property = chance.identifier();
  const value = chance.name();
  const tool = {
    type: "function",
    name,
    description: `Measures the ${chance.word()} of a place.`,
    parameters: {
      type: "object",
      properties: { [property]: { type: "string" } },
      required: [property],
    },
  };
  return { tool, name, property, value, message: `Please call ${name} for "${value}".` };
}

export function picture(width = 32, height = 32): string {
  return `data:image/png;base64,${Buffer.from(blackPng(width, height)).toString("base64")}`;
}

function basic(chance: Chance): Case {
  const word = chance.name();
  const input = [said("user", `Say "${word}" and nothing else.`)];
  return { body: { input }, contains: word, item: "message" };
}

function assistantPhase(chance: Chance): Case {
  const number = String(1_000 + chance.below(9_000));
  const harbour = chance.name();
  const input = [
    said("user", `Which number has the harbour of ${harbour}?`),
    said("assistant", `I look into the list of harbours.`, { phase: "commentary" }),
    said("assistant", `The number of ${harbour} is ${number}.`, { phase: "final_answer" }),
    said("user", `What is the number of ${harbour}? Reply with only the number.`),
  ];
  return { body: { input }, contains: number, item: "message" };
}

function streaming(chance: Chance): Case {
  const from = 2 + chance.below(20);
  const counted = [0, 1, 2, 3].map((step) => from + step);
  const input = [said("user", `Count from ${from} to ${from + 3}.`)];
  return { body: { input }, contains: String(counted[0]), item: "message" };
}

function systemPrompt(chance: Chance): Case {
  const code = chance.name();
  const input = [
    said("system", `You are terse. End every answer with ${code}.`),
    said("user", `How do tides reach ${chance.name()}?`),
  ];
  return { body: { input }, contains: code, item: "message" };
}

function toolCalling(chance: Chance): Case {
  const { tool, message, value } = textTool(chance);
  const body = { input: [said("user", message)], tools: [tool] };
  return { body, contains: value, item: "function_call" };
}

function imageInput(chance: Chance): Case {
  const word = chance.name();
  const content = [
    { type: "input_text", text: `This is the flag of ${word}.` },
    { type: "input_image", image_url: picture() },
  ];
  return { body: { input: [said("user", content)] }, contains: word, item: "message" };
}

function multiTurn(chance: Chance): Case {
  const boat = chance.name();
  const input = [
    said("user", `My boat is called ${boat}.`),
    said("assistant", "A fine name."),
    said("user", "What is my boat called?"),
  ];
  return { body: { input }, contains: boat, item: "message" };
}

export const CASES = {
  "basic-response": basic,
  "assistant-phase": assistantPhase,
  "streaming-response": streaming,
  "system-prompt": systemPrompt,
  "tool-calling": toolCalling,
  "image-input": imageInput,
  "multi-turn": multiTurn,
} as const satisfies Record<string, (chance: Chance) => Case>;

/** What is wrong with an answer to a case. */
export function answerProblems({ contains, item }: Case, answer: ResponseObject): string[] {
  const found = answer.output.find(({ type }) => type === item);
  if (!found) return [`no ${item} among ${answer.output.map(({ type }) => type)}`];
  const text = found.type === "function_call" ? found.arguments : answer.output_text;
  return text.includes(contains) ? [] : [`${JSON.stringify(text)} does not have ${contains}`];
}
