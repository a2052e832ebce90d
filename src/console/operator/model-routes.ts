import { type Changes, changesBetween } from "../../accounts/audit-changes.ts";
import type { Call, Guards } from "../../accounts/guards.ts";
import { isFreeAt, type Model, priceAt } from "../../catalogue/models.ts";
import { priceTexts } from "../../catalogue/price-list.ts";
import { shownList } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import {
  CHANGE_MODEL,
  CHANGE_PRICE,
  CREATE_MODEL,
  LIST_MODELS,
  type OperatorModel,
  type PriceChange,
  type PricePreview,
  RESET_MODEL,
  SHOW_MODEL,
  WITHDRAW_PRICE,
} from "./contract/models.ts";
import { noSuch } from "./field-fault.ts";
import { Prices } from "./prices.ts";
import type { OperatorServices } from "./services.ts";

/** Who says what the model is: what ships, the file, or the console. */
export type ModelOrigins = ReadonlyMap<string, "shipped" | "faregate.yaml">;

function modelToJson(
  services: OperatorServices,
  model: Model,
  origins: ModelOrigins,
): OperatorModel {
  const { installation, routes, clock } = services;
  const nowMs = clock();
  const inForce = priceAt(model, nowMs);
  const stored = installation.snapshot.prices.filter(({ modelId }) => modelId === model.id);
  const idOf = (fromMs: number) => stored.find((each) => each.effectiveFromMs === fromMs)?.id;
  return {
    object: "model",
    id: model.id,
    display_name: model.displayName,
    owned_by: model.ownedBy,
    origin: origins.get(model.id) ?? "console",
    changed_here: installation.snapshot.models.some(({ id }) => id === model.id),
    endpoints: model.endpoints,
    context: model.context,
    max_output: model.maxOutput,
    capabilities: model.capabilities,
    rules: model.rules,
    upstream: model.upstream,
    fallbacks: model.fallbacks,
    deprecates_on: model.deprecatesOn ?? null,
    replacement: model.replacement ?? null,
    free: isFreeAt(model, nowMs),
    channels: routes.states
      .filter(({ channel }) => channel.enabled && routes.routeOn(channel.id, model))
      .map(({ channel }) => channel.id),
    price_version: inForce?.version ?? null,
    prices: model.prices.map((price) => ({
      id: price.source === "console" ? (idOf(price.effectiveFromMs) ?? null) : null,
      pending: price.effectiveFromMs > nowMs,
      ...priceTexts(price),
    })),
    problem: installation.problems.get(`model ${model.id}`) ?? null,
  };
}

function ratesOf(change: PriceChange | undefined): Changes | undefined {
  const rates = change?.changes.map((each) => [each.rate, { from: each.old, to: each.new }]);
  return rates && Object.fromEntries(rates);
}

/** What of a model follows from other things than what is said of it. */
const NOT_SAID = ["changed_here", "channels", "price_version", "prices", "problem"];

export function modelRoutes(
  services: OperatorServices,
  guards: Guards,
  origins: ModelOrigins,
): readonly Route[] {
  const { catalogue, audit } = services;
  const prices = new Prices(services);
  const find = async (id: string) => {
    // For what vendors list at this moment, which says where a model can be had.
    await services.facts();
    const model = catalogue.find(id);
    return model && modelToJson(services, model, origins);
  };
  const show = async (id: string): Promise<OperatorModel> => {
    const shown = await find(id);
    if (!shown) throw noSuch("model", id);
    return shown;
  };
  const note = (call: Call, action: string, target: string, detail = {}, changes?: Changes) =>
    audit.write({ principal: call.principal, accountId: null, action, target, detail, changes });
  const idOf = ({ incoming }: Call) => incoming.params.id ?? "";
  return [
    guards.operator(LIST_MODELS, async () => {
      await services.facts();
      return shownList([...catalogue.all()].map((model) => modelToJson(services, model, origins)));
    }),
    // What a model is called at its vendor is its price as well: a dear one can be sold as a cheap one.
    guards.money.operator(CREATE_MODEL, async (call) => {
      const form = await call.body();
      const id = await prices.add(form, call.principal.name);
      await note(call, "model.create", id, { price: form.price ?? "free" });
      return show(id);
    }),
    guards.operator(SHOW_MODEL, async (call) => show(idOf(call))),
    guards.money.operator(CHANGE_MODEL, async (call) => {
      const form = await call.body();
      const before = { ...(await find(idOf(call))) };
      await prices.edit(idOf(call), form);
      const changes = changesBetween(before, { ...(await find(idOf(call))) }, NOT_SAID);
      await note(call, "model.change", idOf(call), form, changes);
      return show(idOf(call));
    }),
    guards.money.operator(RESET_MODEL, async (call) => {
      const id = idOf(call);
      await prices.remove(id);
      await note(call, "model.reset", id);
      return { object: "model" as const, id, deleted: !catalogue.find(id) };
    }),
    guards.money.operator(CHANGE_PRICE, async (call): Promise<OperatorModel | PricePreview> => {
      const form = await call.body();
      const { preview } = call.query();
      const change = await prices.change(idOf(call), form, call.principal.name, preview);
      if (preview) return { object: "price_preview", data: change ? [change] : [] };
      await note(call, "price.change", idOf(call), { ...change }, ratesOf(change));
      return show(idOf(call));
    }),
    guards.money.operator(WITHDRAW_PRICE, async (call) => {
      const { modelId } = await prices.withdraw(idOf(call));
      await note(call, "price.withdraw", modelId, { price: idOf(call) });
      return show(modelId);
    }),
  ];
}
