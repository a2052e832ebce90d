import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import { isArrayStream, readGeminiPath, writeCountTokens } from "../../protocols/gemini/path.ts";
import { embedWire } from "../../protocols/gemini/request/embed.ts";
import { arrayWire } from "../../protocols/gemini/wire.ts";
import { readCountRequest } from "../../protocols/messages/request/request.ts";
import { findModel } from "../arriving/find-model.ts";
import { identify } from "../arriving/identify.ts";
import { takeBody } from "../arriving/take-body.ts";
import { generate, readRequest } from "../generate.ts";
import { estimateInput } from "../money/sizing.ts";
import type { Services } from "../services.ts";
import { unofferedFault } from "./unoffered.ts";

/** How many input tokens a Messages request would have. Costs nothing and calls nobody. */
export async function countMessageTokens(services: Services, incoming: Incoming) {
  const wire = services.wires.messages;
  const caller = await identify(services, "messages", incoming);
  const body = await takeBody(services, caller, incoming);
  try {
    const counting = { ...wire, readRequest: readCountRequest };
    const request = await readRequest(counting, body);
    findModel(services, caller.key, request.model, wire.endpoint);
    return { input_tokens: estimateInput(wire, request) };
  } finally {
    body.release();
  }
}

async function countGeminiTokens(
  services: Services,
  incoming: Incoming,
  model: string,
): Promise<Response> {
  const wire = services.wires.gemini;
  const caller = await identify(services, "gemini", incoming);
  const body = await takeBody(services, caller, incoming);
  try {
    const request = await readRequest(wire, body, { model, stream: false });
    findModel(services, caller.key, model, wire.endpoint);
    const headers = { "content-type": "application/json" };
    return new Response(writeCountTokens(estimateInput(wire, request)), { headers });
  } finally {
    body.release();
  }
}

/** A model is only looked at, unless its name is followed by what it shall do. */
function uncallable(piece: string): Fault {
  const use =
    "use models/{id}:generateContent, :streamGenerateContent, :countTokens, :embedContent or " +
    ":batchEmbedContents";
  if (piece.includes(":")) return new Fault("unknown_url", `Unknown method; ${use}.`);
  const message = `Method POST is not allowed on a model; use GET. To call it on this wire, ${use}.`;
  return new Fault("method_not_allowed", message, { headers: { allow: "GET" } });
}

/** `models/{id}:{method}`: the method and whether it streams stand in the path. */
export async function callGemini(services: Services, incoming: Incoming): Promise<Response> {
  const piece = incoming.params.id ?? "";
  const call = readGeminiPath(piece);
  if (!call) throw unofferedFault("gemini", incoming.url.pathname) ?? uncallable(piece);
  const { model, method } = call;
  if (method === "countTokens") return countGeminiTokens(services, incoming, model);
  if (method === "embedContent" || method === "batchEmbedContents") {
    const wire = embedWire(services.wires.embeddings, method, services.limits);
    return generate(services, wire, incoming, { path: { model, stream: false }, face: "gemini" });
  }
  const stream = method === "streamGenerateContent";
  const { gemini } = services.wires;
  const wire = isArrayStream(incoming.url) ? arrayWire(gemini) : gemini;
  return generate(services, wire, incoming, { path: { model, stream } });
}
