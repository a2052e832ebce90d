// What a client of each wire makes of the bytes that it got, by the wire's own rules alone.
import type { WireName } from "./frames.ts";

interface Reading {
  /** The generated text. */
  readonly text: string;
  /** The answer says of itself that it is whole. */
  readonly succeeded: boolean;
  readonly failed: boolean;
  /** Something came behind the end. */
  readonly goesOn: boolean;
  /** Something was no event of the wire. */
  readonly malformed: boolean;
}

export const NOTHING_READ: Reading = {
  text: "",
  succeeded: false,
  failed: false,
  goesOn: false,
  malformed: false,
};

type Json = { readonly [name: string]: Json } & readonly Json[] & string;

interface StreamEvent {
  readonly data: string;
  readonly json: Json | undefined;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function eventsOf(text: string): StreamEvent[] {
  return text
    .split("\n\n")
    .map((block) => block.split("\n").find((line) => line.startsWith("data: ")))
    .filter((line) => line !== undefined)
    .map((line) => {
      const data = line.slice("data: ".length);
      return { data, json: parse(data) };
    });
}

interface ClientWire {
  textOf(json: Json): string | undefined;
  isEnd(event: StreamEvent): boolean;
  isFailure(event: StreamEvent): boolean;
  wholeText(json: Json): string | undefined;
}

const CLIENTS: Readonly<Record<WireName, ClientWire>> = {
  chat: {
    textOf: (json) => json.choices?.[0]?.delta?.content,
    isEnd: ({ data }) => data === "[DONE]",
    isFailure: ({ json }) => json?.error !== undefined,
    wholeText: (json) => json.choices?.[0]?.message?.content,
  },
  responses: {
    textOf: (json) => (json.type === "response.output_text.delta" ? json.delta : undefined),
    isEnd: ({ json }) =>
      json?.type === "response.completed" || json?.type === "response.incomplete",
    isFailure: ({ json }) => json?.type === "error" || json?.type === "response.failed",
    wholeText: (json) => (json.status === "completed" ? json.output_text : undefined),
  },
  messages: {
    textOf: (json) => json.delta?.text,
    isEnd: ({ json }) => json?.type === "message_stop",
    isFailure: ({ json }) => json?.type === "error",
    wholeText: (json) => json.content?.[0]?.text,
  },
  gemini: {
    textOf: (json) => json.candidates?.[0]?.content?.parts?.map((part) => part.text).join(""),
    isEnd: ({ json }) => json?.candidates?.[0]?.finishReason !== undefined,
    isFailure: ({ json }) => json?.error !== undefined,
    wholeText: (json) => json.candidates?.[0]?.content?.parts?.[0]?.text,
  },
};

/** On the Responses wire every stream says this last of all, however it ended. */
function isTail(wire: WireName, event: StreamEvent): boolean {
  return wire === "responses" && event.data === "[DONE]";
}

/** Everything up to the last whole event; of what is cut off nothing is known. */
function readStream(wire: WireName, text: string): Reading {
  const client = CLIENTS[wire];
  const events = eventsOf(text.slice(0, text.lastIndexOf("\n\n") + 2));
  const said = events.filter((event) => !isTail(wire, event));
  const end = said.findIndex((event) => client.isEnd(event));
  const isLate = (event: StreamEvent, i: number) =>
    end >= 0 && i > end && !(wire === "gemini" && client.isEnd(event));
  return {
    text: said.map(({ json }) => (json && client.textOf(json)) ?? "").join(""),
    succeeded: end >= 0,
    failed: said.some((event) => client.isFailure(event)),
    goesOn: said.some(isLate),
    malformed: said.some(({ data, json }) => data !== "[DONE]" && json === undefined),
  };
}

function readWhole(wire: WireName, body: string): Reading {
  const json = parse(body);
  const text = json && CLIENTS[wire].wholeText(json);
  const succeeded = text !== undefined;
  const malformed = json === undefined;
  return { text: text ?? "", succeeded, failed: !succeeded, goesOn: false, malformed };
}

export function readAnswer(wire: WireName, stream: boolean, text: string): Reading {
  return stream ? readStream(wire, text) : readWhole(wire, text);
}
