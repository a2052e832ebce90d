import { Fault } from "../lib/faults.ts";
import type { JsonObject } from "./fields.ts";

/** The wires that clients speak, as far as their bodies go. */
type BodyWire = "responses" | "chat" | "embeddings" | "messages" | "gemini";

/** A member by which clients ask for something that this gateway has not. */
interface UnofferedField {
  readonly wires: readonly BodyWire[];
  readonly name: string;
  /** That it is not there, and what to do instead. */
  readonly says: string;
  /** Values that ask for nothing, beside those that never do. */
  readonly harmless?: readonly unknown[];
  /** What the vendor's own clients look for in the refusal. */
  readonly facts?: JsonObject;
}

/** By these words the vendor's own clients know to go on without a thread. */
const NO_THREADS = {
  details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
};

/** All of them, as docs/wires.md lists them. Leaving one out would make the answer another one. */
export const UNOFFERED_FIELDS: readonly UnofferedField[] = [
  {
    wires: ["responses", "chat", "embeddings", "messages", "gemini"],
    name: "background",
    says: "Background responses are not offered; set 'background' to false.",
  },
  {
    wires: ["responses"],
    name: "conversation",
    says: "Conversations are not kept here; continue with 'previous_response_id' instead.",
  },
  {
    wires: ["chat", "messages", "gemini"],
    name: "conversation",
    says: "Conversations are not kept here; send the whole conversation.",
  },
  {
    wires: ["chat", "messages"],
    name: "previous_response_id",
    says: "Only POST /v1/responses goes on from a response; send the whole conversation.",
  },
  {
    wires: ["responses"],
    name: "prompt",
    says: "Prompt templates are not kept here; send 'instructions' and 'input'.",
  },
  {
    wires: ["chat"],
    name: "prompt",
    says: "Neither prompt templates nor bare prompts are taken here; send 'messages'.",
  },
  {
    wires: ["messages"],
    name: "container",
    says: "Containers of a vendor's account cannot be used here.",
  },
  {
    wires: ["messages"],
    name: "mcp_servers",
    says: "Servers of tools cannot be reached from here; run their tools yourself.",
  },
  {
    wires: ["messages"],
    name: "thread",
    says: "Threads are not kept here; send the whole conversation in 'messages'.",
    facts: NO_THREADS,
  },
  {
    wires: ["messages"],
    name: "inference_geo",
    says: "Where a vendor computes cannot be chosen here.",
    // Leaving any other out would send the conversation where its owner does not want it.
    harmless: ["global"],
  },
  {
    wires: ["gemini"],
    name: "cachedContent",
    says: "Caches of a vendor's account cannot be used here; send the whole conversation.",
  },
];

function asks(value: unknown, harmless: readonly unknown[] | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (Array.isArray(value) && value.length === 0) return false;
  return !harmless?.includes(value);
}

function fieldsOf(wire: BodyWire): readonly UnofferedField[] {
  return UNOFFERED_FIELDS.filter(({ wires }) => wires.includes(wire));
}

/** Every request is looked through for those of its wire. */
const BY_WIRE: Readonly<Record<BodyWire, readonly UnofferedField[]>> = {
  responses: fieldsOf("responses"),
  chat: fieldsOf("chat"),
  embeddings: fieldsOf("embeddings"),
  messages: fieldsOf("messages"),
  gemini: fieldsOf("gemini"),
};

/** Refuses a body that asks for what is not offered, by the first such member. */
export function refuseUnoffered(wire: BodyWire, body: JsonObject): void {
  for (const field of BY_WIRE[wire]) {
    const value = body[field.name];
    if (value === undefined || !asks(value, field.harmless)) continue;
    const { name, says, facts = {} } = field;
    throw new Fault("unsupported_parameter", says, { param: name, facts });
  }
}
