import type { Limits } from "../config/config.ts";
import { chatWire } from "./chat/wire.ts";
import { embeddingsWire } from "./embeddings/wire.ts";
import { geminiWire } from "./gemini/wire.ts";
import { messagesWire } from "./messages/wire.ts";
import { responsesWire } from "./responses/wire.ts";
import type { PassWire, Wire } from "./wire.ts";

/** Every wire that is spoken here, to clients and to vendors. */
export interface Wires {
  readonly responses: Wire;
  readonly chat: Wire;
  readonly messages: Wire;
  readonly gemini: Wire;
  readonly embeddings: PassWire;
}

/** The same at OpenRouter's base URL, whose clients read thoughts by other names. */
export function openRouterWires(wires: Wires, limits: Limits): Wires {
  return { ...wires, chat: chatWire(limits, "reasoning") };
}

export function openWires(limits: Limits): Wires {
  return {
    responses: responsesWire(limits),
    chat: chatWire(limits),
    messages: messagesWire(limits),
    gemini: geminiWire(limits),
    embeddings: embeddingsWire(limits),
  };
}
