// Which wire of a vendor's suits a request, where it has several.
import { Fault } from "../../lib/faults.ts";
import { type Conversation, effortOf } from "../canon.ts";
import { isObject } from "../fields.ts";
import {
  type ClientRequest,
  type Endpoint,
  isWire,
  type ModelRule,
  type PassWire,
  type Wire,
} from "../wire.ts";
import { isNamedTool } from "./tool-names.ts";

/** The Responses wire refuses a smaller maximum of output. */
const RESPONSES_OUTPUT_MIN = 16;

/** What other wires can say, and that one cannot. */
const UNKNOWN_TO_RESPONSES = [
  ...["stop", "stop_sequences", "stopSequences", "seed", "logit_bias", "prediction"],
];

/**
 * The wire that has no word for something the request says. Another is taken in its place where the
 * vendor has one.
 */
export function awkwardWire(client: PassWire, request: ClientRequest): "responses" | undefined {
  const { body, maxOutput, choices } = request;
  if (choices > 1 || (maxOutput ?? RESPONSES_OUTPUT_MIN) < RESPONSES_OUTPUT_MIN) return "responses";
  // Its own members are all that it says, whatever others are called.
  if (client.endpoint === "responses") return undefined;
  const config = isObject(body.generationConfig) ? body.generationConfig : body;
  for (const name of UNKNOWN_TO_RESPONSES) {
    if (config[name] !== undefined && config[name] !== null) return "responses";
  }
  return undefined;
}

/** A wire on which vendors refuse what they take on another. */
export interface Detour {
  readonly from: Endpoint;
  readonly to: Endpoint;
}

const TO_RESPONSES: Detour = { from: "chat", to: "responses" };

/** Some models take no functions on the chat wire while they think. */
export function detourFor(
  client: PassWire,
  request: ClientRequest,
  rules: readonly ModelRule[],
): Detour | undefined {
  const byThinking = rules.includes("tools_or_thinking");
  if (!isWire(client) || !(byThinking || rules.includes("tools_or_effort"))) return undefined;
  const asked = withoutTurns(client, request);
  if (!asked?.tools.some(isNamedTool)) return undefined;
  const effort = effortOf(asked);
  const isRefused = effort === undefined ? byThinking : effort !== "none";
  return isRefused ? TO_RESPONSES : undefined;
}

/**
 * What a request asks for, without its turns, which may be long. Nothing of one that cannot be read: it is refused where it
 * has to be, and may pass to a vendor of its own wire.
 */
function withoutTurns(client: Wire, request: ClientRequest): Conversation | undefined {
  const body = { ...request.body, messages: [], input: [], contents: [] };
  try {
    return client.readConversation({ ...request, body });
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined;
    throw thrown;
  }
}
