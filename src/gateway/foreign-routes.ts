import { Fault } from "../lib/faults.ts";
import type { Incoming } from "../lib/route.ts";
import { readGeminiPath, writeCountTokens } from "../protocols/gemini/path.ts";
import { readCountRequest } from "../protocols/messages/request.ts";
import { findModel } from "./find-model.ts";
import { generate, readRequest } from "./generate.ts";
import { identify } from "./identify.ts";
import type { Services } from "./services.ts";
import { estimateInput } from "./sizing.ts";
import { takeBody } from "./take-body.ts";

/** How many input tokens a Messages request would have. Costs nothing and calls nobody. */
export async function countMessageTokens(
  services: Services,
  incoming: Incoming,
): Promise<Response> {
  const wire = services.wires.messages;
  const caller = await identify(services, "messages", incoming);
  const body = await takeBody(services, caller, incoming);
  try {
    const counting = { ...wire, readRequest: readCountRequest };
    const request = await readRequest(counting, body);
    findModel(services, caller.key, request.model, wire.endpoint);
    return Response.json({ input_tokens: estimateInput(wire, request) });
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

/** The vendor's other form of a stream, one array that is long in coming. */
function refuseArray(): never {
  throw new Fault(
    "unsupported_parameter",
    "Streams are sent as server-sent events only; add '?alt=sse' to the address.",
    { param: "alt" },
  );
}

/** `models/{id}:{method}`: the method and whether it streams stand in the path. */
export async function callGemini(services: Services, incoming: Incoming): Promise<Response> {
  const piece = incoming.params.call ?? "";
  const call = readGeminiPath(piece);
  if (!call) {
    throw new Fault(
      "unknown_url",
      "Unknown method; use models/{id}:generateContent, :streamGenerateContent or :countTokens.",
    );
  }
  const { model, method } = call;
  if (method === "countTokens") return countGeminiTokens(services, incoming, model);
  const stream = method === "streamGenerateContent";
  const { gemini } = services.wires;
  const isArray = stream && incoming.url.searchParams.get("alt") !== "sse";
  // Refused where any other request is: behind the key, and with a row of its own.
  const wire = isArray ? { ...gemini, readRequest: refuseArray } : gemini;
  return generate(services, wire, incoming, { path: { model, stream } });
}
