import { type Changes, changesBetween } from "../../accounts/audit-changes.ts";
import type { Call, Guards } from "../../accounts/guards.ts";
import { type Model, priceAt } from "../../catalogue/models.ts";
import { type PriceChange, priceTexts } from "../../catalogue/price-list.ts";
import { readJson } from "../../lib/json/json-body.ts";
import type { Route } from "../../lib/route.ts";
import { noSuch } from "./field-fault.ts";
import { MODEL_FORM, PRICE_FORM, Prices } from "./prices.ts";
import type { OperatorServices } from "./services.ts";

/** Who says what the model is: what ships, the file, or the console. */
export type ModelOrigins = ReadonlyMap<string, "shipped" | "faregate.yaml">;

function modelToWire(services: OperatorServices, model: Model, origins: ModelOrigins) {
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
    free: model.free,
    channels: routes.states
      .filter(({ channel }) => channel.enabled && routes.routeOn(channel.id, model))
      .map(({ channel }) => channel.id),
    price_version: inForce?.version ?? null,
    /** The newest first; a price without an id is not of the console. */
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
  const find = (id: string) => {
    const model = catalogue.find(id);
    return model && modelToWire(services, model, origins);
  };
  const show = (id: string, status = 200) => {
    const shown = find(id);
    if (!shown) throw noSuch("model", id);
    return Response.json(shown, { status });
  };
  const note = (call: Call, action: string, target: string, detail = {}, changes?: Changes) =>
    audit.write({ principal: call.principal, accountId: null, action, target, detail, changes });
  const idOf = ({ incoming }: Call) => incoming.params.id ?? "";
  const base = "/api/operator/models";
  return [
    guards.operator("GET", base, async () => {
      const data = [...catalogue.all()].map((model) => modelToWire(services, model, origins));
      return Response.json({ object: "list", data, next: null });
    }),
    // What a model is called at its vendor is its price as well: a dear one can be sold as a cheap one.
    guards.money.operator("POST", base, async (call) => {
      const form = await readJson(call.incoming.request, MODEL_FORM);
      const id = await prices.add(form, call.principal.name);
      await note(call, "model.create", id, { price: form.price ?? "free" });
      return show(id, 201);
    }),
    guards.operator("GET", `${base}/:id`, async (call) => show(idOf(call))),
    guards.money.operator("PATCH", `${base}/:id`, async (call) => {
      const form = await readJson(call.incoming.request, MODEL_FORM);
      const before = { ...find(idOf(call)) };
      await prices.edit(idOf(call), form);
      const changes = changesBetween(before, { ...find(idOf(call)) }, NOT_SAID);
      await note(call, "model.change", idOf(call), form, changes);
      return show(idOf(call));
    }),
    guards.money.operator("DELETE", `${base}/:id`, async (call) => {
      await prices.remove(idOf(call));
      await note(call, "model.reset", idOf(call));
      return Response.json({
        object: "model",
        id: idOf(call),
        deleted: !catalogue.find(idOf(call)),
      });
    }),
    guards.money.operator("PUT", `${base}/:id/price`, async (call) => {
      const form = await readJson(call.incoming.request, PRICE_FORM);
      const preview = call.incoming.url.searchParams.get("preview") === "true";
      const change = await prices.change(idOf(call), form, call.principal.name, preview);
      if (preview) {
        return Response.json({ object: "price_preview", data: change ? [change] : [] });
      }
      await note(call, "price.change", idOf(call), { ...change }, ratesOf(change));
      return show(idOf(call));
    }),
    guards.money.operator("DELETE", "/api/operator/prices/:id", async (call) => {
      const { modelId } = await prices.withdraw(idOf(call));
      await note(call, "price.withdraw", modelId, { price: idOf(call) });
      return show(modelId);
    }),
  ];
}
