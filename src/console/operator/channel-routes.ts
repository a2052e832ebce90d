import { z } from "zod";
import { type Changes, changesBetween } from "../../accounts/audit-changes.ts";
import { checkScope } from "../../accounts/create-guards.ts";
import type { Call, Guards, Principal } from "../../accounts/guards.ts";
import { readJson } from "../../lib/json/json-body.ts";
import type { Route } from "../../lib/route.ts";
import { listedToWire, tryChannel } from "./channel-trial.ts";
import { channelsToWire, testToWire } from "./channel-view.ts";
import { CHANNEL_FORM, type ChannelForm, Channels } from "./channels.ts";
import { noSuch } from "./field-fault.ts";
import { Prices } from "./prices.ts";
import type { OperatorServices } from "./services.ts";

const TEST_FORM = z.strictObject({ model: z.string().max(128).optional() });

type Words = Readonly<Record<string, unknown>>;

/** Names of what was changed; values may be secret. */
function namesOf(form: Words): Record<string, unknown> {
  return { fields: Object.keys(form), ...("enabled" in form ? { enabled: form.enabled } : {}) };
}

/** What was set of a channel, without how it does. Of its keys, only what is shown of them. */
function settingsOf(shown: ReturnType<typeof channelsToWire>[number] | undefined): Words {
  if (!shown) return {};
  const { name, vendor, enabled, weight, priority, base_url, protocols, on_disconnect } = shown;
  const set = { name, vendor, enabled, weight, priority, base_url, protocols, on_disconnect };
  const keys = shown.keys.map(({ last_four }) => `…${last_four}`);
  return { ...set, models: shown.models, keys };
}

/** Model names by which a channel sells one model as another; a plain list only says which it serves. */
function renames({ models }: Words): boolean {
  return typeof models === "object" && models !== null && !Array.isArray(models);
}

/** What of a channel says what its requests cost is a matter of money, as prices are. */
function checkMoney(principal: Principal, form: Words, priced: readonly string[]): void {
  const named = priced.find((name) => name in form) ?? (renames(form) ? "models" : undefined);
  if (named !== undefined) checkScope(principal, "money", named);
}

const PRICED = ["free", "allow", "new_models"];
/** Some vendors bill nothing: one that is changed to them, with the keys it has, is free. */
const PRICED_LATER = [...PRICED, "vendor"];

/** A test of what a form describes, and what its vendor lists. */
async function tryOut(services: OperatorServices, channels: Channels, call: Call) {
  call.incoming.keepOpen();
  const form = await readJson(call.incoming.request, CHANNEL_FORM);
  const { test, listed } = await tryChannel(services, channels, form, call.principal.name);
  const answer = { ...testToWire(test), object: "channel_trial", models: listedToWire(listed) };
  const { ok, status } = answer;
  // Where it led, since nothing else keeps that.
  const detail = { ok, status, base_url: form.base_url };
  return { tried: String(form.id ?? form.vendor ?? ""), answer, detail };
}

type Find = (id: string) => ReturnType<typeof channelsToWire>[number] | undefined;

/** What is written to the audit log of channels, by the names that they have then. */
function notesOf({ audit }: OperatorServices, find: Find) {
  const note = (
    { principal }: Call,
    action: string,
    target: string,
    detail: object = {},
    changes?: Changes,
  ) => {
    const name = find(target)?.name;
    const told = name === undefined ? { ...detail } : { name, ...detail };
    return audit.write({ principal, accountId: null, action, target, detail: told, changes });
  };
  const noteModels = async (call: Call, { new_models = [] }: ChannelForm) => {
    for (const { id = "", price } of new_models) {
      await note(call, "model.create", id, { price: price ?? "free" });
    }
  };
  return { note, noteModels };
}

export function channelRoutes(
  services: OperatorServices,
  guards: Guards,
  fileIds: ReadonlySet<string>,
): readonly Route[] {
  const channels = new Channels(services, new Prices(services));
  const find: Find = (id) => channelsToWire(services, fileIds).find((each) => each.id === id);
  const show = (id: string, status = 200) => {
    const shown = find(id);
    if (!shown) throw noSuch("channel", id);
    return Response.json(shown, { status });
  };
  const { note, noteModels } = notesOf(services, find);
  const idOf = ({ incoming }: Call) => incoming.params.id ?? "";
  const base = "/api/operator/channels";
  return [
    guards.operator("GET", base, async () => {
      const data = channelsToWire(services, fileIds);
      return Response.json({ object: "list", data, next: null });
    }),
    guards.operator("POST", base, async (call) => {
      const form = await readJson(call.incoming.request, CHANNEL_FORM);
      checkMoney(call.principal, form, PRICED);
      const id = await channels.create(form, call.principal.name);
      await note(call, "channel.create", id, { vendor: form.vendor, ...namesOf(form) });
      await noteModels(call, form);
      return show(id, 201);
    }),
    guards.operator("POST", `${base}/try`, async (call) => {
      const { tried, answer, detail } = await tryOut(services, channels, call);
      await note(call, "channel.try", tried, detail);
      return Response.json(answer);
    }),
    guards.operator("GET", `${base}/:id`, async (call) => show(idOf(call))),
    guards.operator("PATCH", `${base}/:id`, async (call) => {
      const form = await readJson(call.incoming.request, CHANNEL_FORM);
      checkMoney(call.principal, form, PRICED_LATER);
      const before = settingsOf(find(idOf(call)));
      await channels.change(idOf(call), form, call.principal.name);
      const changes = changesBetween(before, settingsOf(find(idOf(call))));
      await note(call, "channel.change", idOf(call), namesOf(form), changes);
      await noteModels(call, form);
      return show(idOf(call));
    }),
    guards.operator("DELETE", `${base}/:id`, async (call) => {
      const name = find(idOf(call))?.name;
      await channels.remove(idOf(call));
      await note(call, "channel.delete", idOf(call), { name });
      return Response.json({ object: "channel", id: idOf(call), deleted: true });
    }),
    guards.operator("POST", `${base}/:id/revive`, async (call) => {
      await channels.revive(idOf(call));
      await note(call, "channel.revive", idOf(call));
      return show(idOf(call));
    }),
    guards.operator("POST", `${base}/:id/test`, async (call) => {
      call.incoming.keepOpen();
      const { model } = await readJson(call.incoming.request, TEST_FORM);
      const test = testToWire(await channels.test(idOf(call), model));
      await note(call, "channel.test", idOf(call), { ok: test.ok, status: test.status });
      return Response.json(test);
    }),
  ];
}
