// Bodies that are made to be slow for whoever reads them, by the wire that they come by.
import type { Endpoint } from "../../src/protocols/wire.ts";
import { chatBodies } from "./bodies/chat.ts";
import { draftBodies } from "./bodies/drafts.ts";
import { geminiBodies } from "./bodies/gemini.ts";
import type { HostileBody } from "./bodies/making.ts";
import { messagesBodies } from "./bodies/messages.ts";
import { responsesBodies } from "./bodies/responses.ts";

const BY_WIRE: Readonly<Record<Endpoint | "drafts", () => HostileBody[]>> = {
  drafts: draftBodies,
  chat: chatBodies,
  responses: responsesBodies,
  messages: messagesBodies,
  gemini: geminiBodies,
};

export function hostileBodies(wire: Endpoint | "drafts"): readonly HostileBody[] {
  return BY_WIRE[wire]();
}
