import type { ExceededScope } from "../../admission/request.ts";
import { isFreeAt, listed, type Model, priceAt } from "../../catalogue/models.ts";
import type { Incoming } from "../../lib/route.ts";
import type { Caller } from "../admitted-request.ts";
import { isOfferedOn, modelNotFound, modelsOf } from "../arriving/find-model.ts";
import { identify } from "../arriving/identify.ts";
import { enter } from "../arriving/take-body.ts";
import { type FaceName, faceAt } from "../faces.ts";
import { exceeded } from "../refusals.ts";
import type { Services } from "../services.ts";
import { MODEL_FACES } from "./model-lists.ts";

/** The model of a path. Some ids have slashes in them, each a piece of its own there. */
export function modelNamed({ params: { server, vendor, id } }: Pick<Incoming, "params">): string {
  return [server, vendor, id].filter((piece) => piece !== undefined).join("/");
}

/** What of its limits a key has used up, be it its own or the account's. */
async function usedUp(
  { books, clock }: Services,
  { key, timeBudget }: Caller,
  callable: readonly Model[],
): Promise<ExceededScope | undefined> {
  const { budgets } = (await books.spending(key.id, timeBudget)) ?? { budgets: [] };
  const passed = budgets.find(({ used, amount }) => used > amount);
  if (passed) {
    const { used, amount: max, period, resetsAtMs } = passed;
    return { scope: "budget", used, max, period, resetsAtMs };
  }
  // What is free can be called without a balance.
  const nowMs = clock();
  if (callable.some((model) => isFreeAt(model, nowMs))) return undefined;
  const balance = await books.balance(key.accountId, timeBudget);
  if (!balance) return undefined;
  const [used, max] = [balance.charged, balance.credited + key.overdraft];
  return used < max ? undefined : { scope: "balance", used, max };
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

/** A model whose price is still to come is as good as not there. */
function pricedFor({ routes, clock }: Services, { key }: Caller): Model[] {
  const nowMs = clock();
  return modelsOf(key, routes).filter((model) => priceAt(model, nowMs));
}

/** Anthropic's clients have no call for embeddings. */
function isSeenBy(face: FaceName, model: Model): boolean {
  return face !== "messages" || isOfferedOn(model, face);
}

export async function listModels(services: Services, incoming: Incoming): Promise<Response> {
  const face = faceAt(incoming.request);
  const caller = await identify(services, "models", incoming, face);
  enter(services, caller);
  const { routes } = services;
  // One whose vendors take no key of ours is known, but cannot be called at present.
  const callable = pricedFor(services, caller).filter((model) => routes.canServe(model));
  await refuseExceeded(services, caller, callable);
  const models = listed(callable).filter((model) => isSeenBy(face, model));
  return Response.json(MODEL_FACES[face].list(models, incoming.url.searchParams, services.clock()));
}

export async function showModel(services: Services, incoming: Incoming): Promise<Response> {
  const face = faceAt(incoming.request);
  const caller = await identify(services, "models", incoming, face);
  enter(services, caller);
  const callable = pricedFor(services, caller).filter((model) => isSeenBy(face, model));
  const id = modelNamed(incoming);
  // Clients of other vendors know some models by their vendor's names.
  const alias = face === "openai" ? undefined : services.catalogue.findAlias(id);
  const named = services.catalogue.find(id) ?? alias;
  const model = callable.find((candidate) => candidate === named);
  if (!model) throw modelNotFound(id, callable);
  await refuseExceeded(services, caller, callable);
  return Response.json(MODEL_FACES[face].show(model, services.clock()));
}
