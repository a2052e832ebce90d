import { codexModels } from "../../catalogue/codex-models.ts";
import type { Model } from "../../catalogue/models.ts";
import type { Fault } from "../../lib/faults.ts";
import { type JsonObject, wrongValue } from "../../protocols/fields.ts";
import { EMBED_METHODS, WRITING_METHODS } from "../../protocols/gemini/path.ts";
import type { FaceName } from "../faces.ts";
import { modelFacts } from "./model-facts.ts";

/** How the clients of a vendor read models. */
interface ModelFace {
  show(model: Model, nowMs: number): JsonObject;
  /** A page of the models, as the query asks for it. */
  list(models: readonly Model[], query: URLSearchParams, nowMs: number): JsonObject;
}

function sinceMs(model: Model): number {
  return model.releasedMs ?? model.prices.at(-1)?.effectiveFromMs ?? 0;
}

/** OpenAI's four members, and behind them what OpenRouter's clients read. */
const openai: ModelFace = {
  show(model, nowMs) {
    const created = Math.floor(sinceMs(model) / 1000);
    const own = { id: model.id, object: "model", created, owned_by: model.ownedBy };
    return { ...own, ...modelFacts(model, nowMs) };
  },
  list(models, query, nowMs) {
    const data = models.map((model) => openai.show(model, nowMs));
    const list = { object: "list", data };
    // Codex says which version it is, and reads a list of its own.
    return query.has("client_version") ? { ...list, models: codexModels(models) } : list;
  },
};

/** The vendors' own, so that their clients find as many on a page as they are used to. */
const ANTHROPIC_PAGE = { standard: 20, least: 1, most: 1_000 };
const GEMINI_PAGE = { standard: 50, least: 0, most: 1_000 };

function countOf(
  query: URLSearchParams,
  name: string,
  { standard, least, most }: typeof GEMINI_PAGE,
): number {
  const text = query.get(name);
  if (text === null || text === "") return standard;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (count < least) throw wrongValue(name, `it must be a whole number from ${least} to ${most}.`);
  return Math.min(count, most);
}

/** Where a model stands in the list, for a page that goes on from it. */
function placeOf(models: readonly Model[], id: string, wrong: () => Fault): number {
  const place = models.findIndex((model) => model.id === id);
  if (place < 0) throw wrong();
  return place;
}

/** From where to where a page goes that lies behind one model, or in front of another. */
function anthropicSpan(models: readonly Model[], query: URLSearchParams): [number, number] {
  const limit = countOf(query, "limit", ANTHROPIC_PAGE);
  const after = query.get("after_id");
  const before = query.get("before_id");
  if (after && before) throw wrongValue("before_id", "send it or 'after_id', not both.");
  const place = (name: string, id: string) =>
    placeOf(models, id, () => wrongValue(name, "no model of this list has that id."));
  if (before) {
    const end = place("before_id", before);
    return [Math.max(0, end - limit), end];
  }
  const start = after ? place("after_id", after) + 1 : 0;
  return [start, Math.min(models.length, start + limit)];
}

const messages: ModelFace = {
  show: (model) => ({
    type: "model",
    id: model.id,
    display_name: model.displayName,
    created_at: new Date(sinceMs(model)).toISOString(),
    max_input_tokens: model.context,
    max_tokens: model.maxOutput,
    // What is listed can be called. Of the rest nothing is known here, which its clients expect to be said.
    lifecycle: "active",
    deprecated_at: null,
    retires_at: null,
    line: null,
    capabilities: null,
  }),
  list(models, query, nowMs) {
    const [start, end] = anthropicSpan(models, query);
    const data = models.slice(start, end).map((model) => messages.show(model, nowMs));
    return {
      data,
      // In the direction in which the client walks.
      has_more: query.get("before_id") ? start > 0 : end < models.length,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
  },
};

/** The beginning of the names of models in Google's lists. */
const GEMINI_NAME = "models/";

function geminiStart(models: readonly Model[], token: string): number {
  const id = Buffer.from(token, "base64url").toString();
  const wrong = () =>
    wrongValue("pageToken", "use the 'nextPageToken' of a page, or begin without one.");
  return placeOf(models, id, wrong) + 1;
}

function isForEmbeddings({ endpoints }: Model): boolean {
  return endpoints.includes("embeddings");
}

const gemini: ModelFace = {
  show: (model) => ({
    name: GEMINI_NAME + model.id,
    baseModelId: model.id,
    version: model.id,
    displayName: model.displayName,
    inputTokenLimit: model.context,
    outputTokenLimit: model.maxOutput,
    supportedGenerationMethods: isForEmbeddings(model) ? EMBED_METHODS : WRITING_METHODS,
    ...(model.capabilities.includes("reasoning") ? { thinking: true } : {}),
  }),
  list(models, query, nowMs) {
    // Nought is the vendor's word for as many as it likes.
    const size = countOf(query, "pageSize", GEMINI_PAGE) || GEMINI_PAGE.standard;
    const token = query.get("pageToken");
    const start = token ? geminiStart(models, token) : 0;
    const page = models.slice(start, start + size);
    const last = page.at(-1);
    const isMore = last && start + size < models.length;
    const nextPageToken = isMore ? Buffer.from(last.id).toString("base64url") : undefined;
    return {
      models: page.map((model) => gemini.show(model, nowMs)),
      ...(nextPageToken && { nextPageToken }),
    };
  },
};

export const MODEL_FACES: Readonly<Record<FaceName, ModelFace>> = { openai, messages, gemini };
