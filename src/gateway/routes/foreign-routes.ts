import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import { isArrayStream, readGeminiPath } from "../../protocols/gemini/path.ts";
import { embedWire } from "../../protocols/gemini/request/embed.ts";
import { arrayWire } from "../../protocols/gemini/wire.ts";
import { generate } from "../generate.ts";
import type { Services } from "../services.ts";
import { countGeminiTokens } from "./count-tokens.ts";
import { modelNamed } from "./model-routes.ts";
import { unofferedFault } from "./unoffered.ts";

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
  const piece = modelNamed(incoming);
  const call = readGeminiPath(piece);
  if (!call) throw unofferedFault("gemini", incoming.url.pathname) ?? uncallable(piece);
  const { model, method } = call;
  if (method === "countTokens") return countGeminiTokens(services, incoming, model);
  if (method === "embedContent" || method === "batchEmbedContents") {
    const wire = embedWire(services.wires.embeddings, method, services.limits);
    const particular = { path: { model, stream: false }, face: "gemini" } as const;
    return (await generate(services, wire, incoming, particular)).response();
  }
  const stream = method === "streamGenerateContent";
  const { gemini } = services.wires;
  const wire = isArrayStream(incoming.url) ? arrayWire(gemini) : gemini;
  return (await generate(services, wire, incoming, { path: { model, stream } })).response();
}
