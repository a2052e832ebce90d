import type { Incoming } from "../../lib/route.ts";
import { writeCountTokens } from "../../protocols/gemini/path.ts";
import { readCountRequest } from "../../protocols/messages/request/request.ts";
import type { RequestPath, Wire } from "../../protocols/wire.ts";
import { findModel } from "../arriving/find-model.ts";
import { identify, identifyAgain, isLate } from "../arriving/identify.ts";
import { readRequest } from "../arriving/read-request.ts";
import { takeBody } from "../arriving/take-body.ts";
import { estimateInput } from "../money/sizing.ts";
import type { Services } from "../services.ts";
import { openStoredTurn } from "../stored-turn.ts";

/** How many input tokens a request would have. Costs nothing and calls nobody. */
async function countTokens(
  services: Services,
  wire: Wire,
  incoming: Incoming,
  path?: RequestPath,
): Promise<number> {
  const { endpoint } = wire;
  let caller = await identify(services, endpoint, incoming);
  const body = await takeBody(services, caller, incoming);
  try {
    if (isLate(services, caller)) caller = await identifyAgain(services, caller, incoming);
    const request = await readRequest(wire, body, path);
    findModel(services, caller.key, request.model, endpoint);
    if (endpoint !== "responses") return estimateInput(wire, request);
    const { request: whole } = await openStoredTurn(services, caller, request, body);
    return estimateInput(wire, whole);
  } finally {
    body.release();
  }
}

export async function countInputTokens(services: Services, incoming: Incoming) {
  const input_tokens = await countTokens(services, services.wires.responses, incoming);
  return { object: "response.input_tokens", input_tokens } as const;
}

export async function countMessageTokens(services: Services, incoming: Incoming) {
  const wire = { ...services.wires.messages, readRequest: readCountRequest };
  return { input_tokens: await countTokens(services, wire, incoming) };
}

export async function countGeminiTokens(services: Services, incoming: Incoming, model: string) {
  const path = { model, stream: false };
  const count = await countTokens(services, services.wires.gemini, incoming, path);
  return new Response(writeCountTokens(count), { headers: { "content-type": "application/json" } });
}
