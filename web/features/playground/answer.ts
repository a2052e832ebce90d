export type Endpoint = "responses" | "chat";

export interface AnswerUsage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Absent where the key hides it. */
  readonly cost: string | undefined;
}

/** What is known of an answer while it comes in. */
export interface ShownAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly usage: AnswerUsage | undefined;
  readonly failure: string | undefined;
}

export const NO_ANSWER: ShownAnswer = {
  text: "",
  reasoning: "",
  usage: undefined,
  failure: undefined,
};

/** Whatever was sent; every member is looked at before it is believed. */
interface Loose {
  readonly [name: string]: unknown;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Loose)[name] : undefined;
}

function textAt(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

function countAt(value: unknown, name: string): number {
  const found = member(value, name);
  return typeof found === "number" ? found : 0;
}

function usageOf(usage: unknown, input: string, output: string): AnswerUsage | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const cost = member(usage, "cost_exact");
  return {
    input: countAt(usage, `${input}_tokens`),
    cached: countAt(member(usage, `${input}_tokens_details`), "cached_tokens"),
    output: countAt(usage, `${output}_tokens`),
    cost: typeof cost === "string" ? cost : undefined,
  };
}

type Reader = (answer: ShownAnswer, event: unknown) => ShownAnswer;

const grow: (name: "text" | "reasoning") => Reader = (name) => (answer, event) => ({
  ...answer,
  [name]: answer[name] + textAt(event, "delta"),
});

const end: Reader = (answer, event) => {
  const response = member(event, "response");
  const failure = textAt(member(response, "error"), "message");
  return {
    ...answer,
    usage: usageOf(member(response, "usage"), "input", "output") ?? answer.usage,
    failure: failure || answer.failure,
  };
};

const RESPONSES: Readonly<Record<string, Reader>> = {
  "response.output_text.delta": grow("text"),
  "response.refusal.delta": grow("text"),
  "response.reasoning_text.delta": grow("reasoning"),
  "response.reasoning_summary_text.delta": grow("reasoning"),
  "response.completed": end,
  "response.incomplete": end,
  "response.failed": end,
};

const readChat: Reader = (answer, event) => {
  const choices = member(event, "choices");
  const delta = Array.isArray(choices) ? member(choices[0], "delta") : undefined;
  return {
    ...answer,
    text: answer.text + textAt(delta, "content") + textAt(delta, "refusal"),
    reasoning:
      answer.reasoning + (textAt(delta, "reasoning_content") || textAt(delta, "reasoning")),
    usage: usageOf(member(event, "usage"), "prompt", "completion") ?? answer.usage,
  };
};

function failureOf(event: unknown): string | undefined {
  const nested = textAt(member(event, "error"), "message");
  if (nested) return nested;
  return member(event, "type") === "error" ? textAt(event, "message") || undefined : undefined;
}

/** The answer with one more event of its stream. What is not understood changes nothing. */
export function readEvent(answer: ShownAnswer, endpoint: Endpoint, data: string): ShownAnswer {
  if (data === "[DONE]") return answer;
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return answer;
  }
  const failure = failureOf(event);
  if (failure !== undefined) return { ...answer, failure };
  const read = endpoint === "chat" ? readChat : RESPONSES[textAt(event, "type")];
  return read ? read(answer, event) : answer;
}
