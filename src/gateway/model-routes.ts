import type { ExceededScope } from "../admission/request.ts";
import { codexModels } from "../catalogue/codex-models.ts";
import { listed, type Model, priceAt } from "../catalogue/models.ts";
import type { Incoming } from "../lib/route.ts";
import { modelNotFound, modelsOf } from "./find-model.ts";
import { identify } from "./identify.ts";
import { exceeded } from "./refusals.ts";
import type { Caller } from "./run.ts";
import type { Services } from "./services.ts";
import { enter } from "./take-body.ts";

function toWire(model: Model) {
  const sinceMs = model.releasedMs ?? model.prices.at(-1)?.effectiveFromMs ?? 0;
  const created = Math.floor(sinceMs / 1000);
  return { id: model.id, object: "model", created, owned_by: model.ownedBy };
}

/** What of its limits a key has used up, be it its own or the account's. */
async function usedUp(
  { books }: Services,
  { key }: Caller,
  callable: readonly Model[],
): Promise<ExceededScope | undefined> {
  const { budgets } = (await books.spending(key.id)) ?? { budgets: [] };
  const passed = budgets.find(({ used, amount }) => used > amount);
  if (passed) {
    const { used, amount: max, period, resetsAtMs } = passed;
    return { scope: "budget", used, max, period, resetsAtMs };
  }
  // What is free can be called without a balance.
  if (callable.some(({ free }) => free)) return undefined;
  const balance = await books.balance(key.accountId);
  if (!balance || balance.charged < balance.credited) return undefined;
  return { scope: "balance", used: balance.charged, max: balance.credited };
}

/** A key that cannot pay is refused here too, as clients probe this list to see whether it works. */
async function refuseExceeded(
  services: Services,
  caller: Caller,
  callable: readonly Model[],
): Promise<void> {
  const scope = await usedUp(services, caller, callable);
  if (scope) throw await exceeded(services, caller, scope);
}

export async function listModels(services: Services, incoming: Incoming): Promise<Response> {
  const caller = await identify(services, "models", incoming);
  enter(services, caller);
  const nowMs = services.clock();
  const { routes } = services;
  // A model whose price is still to come cannot be called yet, nor one whose vendors take no key of ours.
  const callable = modelsOf(caller.key, routes).filter(
    (model) => priceAt(model, nowMs) && routes.canServe(model),
  );
  await refuseExceeded(services, caller, callable);
  const models = listed(callable);
  const list = { object: "list", data: models.map(toWire) };
  // Codex says which version it is, and reads a list of its own.
  if (!incoming.url.searchParams.has("client_version")) return Response.json(list);
  return Response.json({ ...list, models: codexModels(models) });
}

export async function showModel(services: Services, incoming: Incoming): Promise<Response> {
  const caller = await identify(services, "models", incoming);
  enter(services, caller);
  const callable = modelsOf(caller.key, services.routes);
  const id = incoming.params.id ?? "";
  const model = callable.find((candidate) => candidate.id === id);
  if (!model) throw modelNotFound(id, callable);
  await refuseExceeded(services, caller, callable);
  return Response.json(toWire(model));
}
