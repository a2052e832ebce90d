import type { KeySettings } from "../accounts/account.ts";
import { type Catalogue, type Model, suggest } from "../catalogue/models.ts";
import { Fault } from "../lib/faults.ts";
import type { Route, Routes } from "../upstream/channels.ts";

const PATHS = { responses: "/v1/responses", chat: "/v1/chat/completions" } as const;
const NAME_CHARS_MAX = 100;

/** The models that a key may call, in the catalogue's order. */
export function modelsOf(key: KeySettings, routes: Routes): Model[] {
  const { models } = key;
  return routes.models().filter((model) => models === null || models.includes(model.id));
}

export function modelNotFound(id: string, listed: readonly Model[]): Fault {
  const meant = suggest(
    id,
    listed.map((model) => model.id),
  );
  const hint = meant
    ? ` Identifiers are case-sensitive and versions use dots: did you mean \`${meant}\`?`
    : " GET /v1/models lists the models that this key can call.";
  const shown = id.slice(0, NAME_CHARS_MAX);
  return new Fault(
    "model_not_found",
    `The model \`${shown}\` does not exist or this key has no access to it.${hint}`,
    { param: "model" },
  );
}

interface FoundModel {
  readonly model: Model;
  readonly route: Route;
}

/** The model a request names, where it goes, and that this key may call it this way. */
export function findModel(
  id: string,
  endpoint: "responses" | "chat",
  key: KeySettings,
  catalogue: Catalogue,
  routes: Routes,
): FoundModel {
  const model = catalogue.find(id);
  const route = model && routes.find(model);
  if (!model || !route) throw modelNotFound(id, modelsOf(key, routes));
  if (!model.endpoints.includes(endpoint)) {
    const others = model.endpoints.map((name) => `POST ${PATHS[name]}`).join(" or ");
    throw new Fault(
      "unsupported_endpoint",
      `The model \`${id}\` is not available on POST ${PATHS[endpoint]}; use ${others}.`,
      { param: "model" },
    );
  }
  if (key.models !== null && !key.models.includes(id)) {
    throw modelNotFound(id, modelsOf(key, routes));
  }
  return { model, route };
}
