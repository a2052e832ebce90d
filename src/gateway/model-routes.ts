import { codexModels } from "../catalogue/codex-models.ts";
import { listed, type Model, priceAt } from "../catalogue/models.ts";
import type { Incoming } from "../lib/route.ts";
import { modelNotFound, modelsOf } from "./find-model.ts";
import { identify } from "./identify.ts";
import { exceeded } from "./refusals.ts";
import type { Caller } from "./run.ts";
import type { Services } from "./services.ts";

function toWire(model: Model) {
  const sinceMs = model.releasedMs ?? model.prices.at(-1)?.effectiveFromMs ?? 0;
  const created = Math.floor(sinceMs / 1000);
  return { id: model.id, object: "model", created, owned_by: model.ownedBy };
}

/** A key over its budget is refused here too, as clients probe this list to see whether it works. */
async function refuseExceeded(services: Services, caller: Caller): Promise<void> {
  const { budgets } = (await services.books.spending(caller.key.id)) ?? { budgets: [] };
  const passed = budgets.find(({ used, amount }) => used > amount);
  if (!passed) return;
  const { used, amount: max, period, resetsAtMs } = passed;
  throw await exceeded(services, caller, { scope: "budget", used, max, period, resetsAtMs });
}

export async function listModels(services: Services, incoming: Incoming): Promise<Response> {
  const caller = await identify(services, "models", incoming);
  await refuseExceeded(services, caller);
  const nowMs = services.clock();
  const { routes } = services;
  // A model whose price is still to come cannot be called yet, nor one whose vendors take no key of ours.
  const callable = modelsOf(caller.key, routes).filter(
    (model) => priceAt(model, nowMs) && routes.canServe(model),
  );
  const models = listed(callable);
  const list = { object: "list", data: models.map(toWire) };
  // Codex says which version it is, and reads a list of its own.
  if (!incoming.url.searchParams.has("client_version")) return Response.json(list);
  return Response.json({ ...list, models: codexModels(models) });
}

export async function showModel(services: Services, incoming: Incoming): Promise<Response> {
  const caller = await identify(services, "models", incoming);
  const callable = modelsOf(caller.key, services.routes);
  const id = incoming.params.id ?? "";
  const model = callable.find((candidate) => candidate.id === id);
  if (!model) throw modelNotFound(id, callable);
  await refuseExceeded(services, caller);
  return Response.json(toWire(model));
}
