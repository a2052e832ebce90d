import type { KeySettings } from "../../accounts/account.ts";
import { type Model, type PriceVersion, priceAt, suggest } from "../../catalogue/models.ts";
import { Fault } from "../../lib/faults.ts";
import { type JsonObject, wrongType, wrongValue } from "../../protocols/fields.ts";
import type { ClientRequest, PassWire } from "../../protocols/wire.ts";
import type { Routes } from "../../upstream/routing.ts";
import type { Services } from "../services.ts";

type ClientEndpoint = PassWire["endpoint"];

const PATHS = {
  responses: "/v1/responses",
  chat: "/v1/chat/completions",
  embeddings: "/v1/embeddings",
} as const;
const NAME_CHARS_MAX = 100;

/** Fallbacks beyond these are never reached within the retries of one request. */
const FALLBACKS_MAX = 8;

/** The models that a key may call, in the catalogue's order. */
export function modelsOf(key: KeySettings, routes: Routes): Model[] {
  const { models } = key;
  return routes.models().filter((model) => models === null || models.includes(model.id));
}

export function modelNotFound(
  id: string,
  listed: readonly Model[],
  param = "model",
  fault: "model_not_found" | "model_not_allowed" = "model_not_found",
): Fault {
  const meant = suggest(
    id,
    listed.map((model) => model.id),
  );
  const hint = meant
    ? ` Identifiers are case-sensitive and versions use dots: did you mean \`${meant}\`?`
    : " GET /v1/models lists the models that this key can call.";
  const shown = id.slice(0, NAME_CHARS_MAX);
  return new Fault(
    fault,
    `The model \`${shown}\` does not exist or this key has no access to it.${hint}`,
    { param },
  );
}

/** Clients of these wires send the vendor's own names; everywhere else a model has one name. */
function isForeignWire(endpoint: ClientEndpoint): endpoint is "messages" | "gemini" {
  return endpoint === "messages" || endpoint === "gemini";
}

export function isOfferedOn(model: Model, endpoint: ClientEndpoint): boolean {
  if (isForeignWire(endpoint)) return !model.endpoints.includes("embeddings");
  return model.endpoints.includes(endpoint);
}

type Finding = Pick<Services, "catalogue" | "routes">;

/** The model a request names, and that this key may call it this way. */
export function findModel(
  services: Finding,
  key: KeySettings,
  id: string,
  endpoint: ClientEndpoint,
  param = "model",
): Model {
  const { catalogue, routes } = services;
  const model =
    catalogue.find(id) ?? (isForeignWire(endpoint) ? catalogue.findAlias(id) : undefined);
  if (!model || !routes.find(model)) throw modelNotFound(id, modelsOf(key, routes), param);
  // Before anything that would tell of the model.
  if (key.models !== null && !key.models.includes(model.id)) {
    throw modelNotFound(id, modelsOf(key, routes), param, "model_not_allowed");
  }
  if (!isOfferedOn(model, endpoint)) {
    const others = model.endpoints.map((name) => `POST ${PATHS[name]}`).join(" or ");
    const here = isForeignWire(endpoint) ? "this path" : `POST ${PATHS[endpoint]}`;
    throw new Fault(
      "unsupported_endpoint",
      `The model \`${id.slice(0, NAME_CHARS_MAX)}\` is not available on ${here}; use ${others}.`,
      { param },
    );
  }
  return model;
}

/** A model that may answer a request, at the price it has now. */
export interface Candidate {
  readonly model: Model;
  /** Pinned at admission: a price change meanwhile does not touch a running request. */
  readonly priced: PriceVersion;
}

function candidateOf(services: Pick<Services, "clock">, model: Model, param?: string): Candidate {
  const priced = priceAt(model, services.clock());
  // A model without a price in force is as good as not there.
  if (!priced) throw modelNotFound(model.id, [], param);
  return { model, priced };
}

/** The model that was asked for, then those that may stand in for it. */
export type Candidates = readonly [Candidate, ...Candidate[]];

/** The models a client wants instead, should the first not answer, in its order. */
function wantedFallbacks(body: JsonObject): readonly string[] | undefined {
  const { models } = body;
  if (models === undefined || models === null) return undefined;
  if (!Array.isArray(models)) throw wrongType("models", "an array of model ids", models);
  if (models.length > FALLBACKS_MAX) throw wrongValue("models", `at most ${FALLBACKS_MAX} ids.`);
  return models.map((id, i) => {
    if (typeof id !== "string") throw wrongType(`models[${i}]`, "a string", id);
    return id;
  });
}

/** The request without what is only for us: no vendor knows our fallbacks. */
export function withoutFallbacks(request: ClientRequest): ClientRequest {
  if (request.body.models === undefined) return request;
  const { models: _models, ...body } = request.body;
  return { ...request, body, json: request.json.without("models") };
}

type Choosing = Pick<Services, "catalogue" | "routes" | "clock">;

/** A fallback of the catalogue's, where it can be used here: unlike a client's, it is no promise. */
function usable(
  services: Choosing,
  key: KeySettings,
  id: string,
  endpoint: ClientEndpoint,
): Candidate[] {
  try {
    return [candidateOf(services, findModel(services, key, id, endpoint))];
  } catch (thrown) {
    if (thrown instanceof Fault) return [];
    throw thrown;
  }
}

/**
 * Returns the same models at the prices of now, or the list itself where nothing has changed. Throws what a new request
 * would hear if the first model is not served any more. Leaves out a fallback that is not.
 */
export function atPricesOfNow(
  services: Choosing,
  key: KeySettings,
  endpoint: ClientEndpoint,
  candidates: Candidates,
): Candidates {
  const [asked, ...others] = candidates;
  const now: Candidates = [
    candidateOf(services, findModel(services, key, asked.model.id, endpoint)),
    ...others.flatMap(({ model }) => usable(services, key, model.id, endpoint)),
  ];
  const isSame = candidates.every(
    ({ model, priced }, i) => now[i]?.model === model && now[i]?.priced === priced,
  );
  return isSame ? candidates : now;
}

/** The model that was asked for and those that may stand in for it, each once. */
export function findCandidates(
  services: Choosing,
  key: KeySettings,
  request: Pick<ClientRequest, "model" | "body">,
  endpoint: ClientEndpoint,
): Candidates {
  const asked = findModel(services, key, request.model, endpoint);
  const first = candidateOf(services, asked);
  // Most models have nobody to stand in for them.
  if (request.body.models === undefined && asked.fallbacks.length === 0) return [first];
  const wanted = wantedFallbacks(request.body)?.map((id, i) => {
    const param = `models[${i}]`;
    return candidateOf(services, findModel(services, key, id, endpoint, param), param);
  });
  const others = wanted ?? asked.fallbacks.flatMap((id) => usable(services, key, id, endpoint));
  const models = [asked, ...others.map(({ model }) => model)];
  const rest = others.filter(({ model }, i) => models.indexOf(model) === i + 1);
  return [first, ...rest];
}
