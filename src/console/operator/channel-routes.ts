import { type Changes, changesBetween } from "../../accounts/audit-changes.ts";
import { checkScope } from "../../accounts/create-guards.ts";
import type { Call, CallOf, Guards, Principal } from "../../accounts/guards.ts";
import { shownList } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { tryChannel } from "./channel-trial.ts";
import { channelsToJson, testToJson } from "./channel-view.ts";
import { Channels } from "./channels.ts";
import {
  CHANGE_CHANNEL,
  type Channel,
  type ChannelTrial,
  CREATE_CHANNEL,
  DELETE_CHANNEL,
  LIST_CHANNELS,
  REVIVE_CHANNEL,
  type ReadChannelForm,
  SHOW_CHANNEL,
  TEST_CHANNEL,
  TRY_CHANNEL,
} from "./contract/channels.ts";
import { noSuch } from "./field-fault.ts";
import { Prices } from "./prices.ts";
import type { OperatorServices } from "./services.ts";

type Words = Readonly<Record<string, unknown>>;

/** Names of what was changed; values may be secret. */
function namesOf(form: Words): Record<string, unknown> {
  return { fields: Object.keys(form), ...("enabled" in form ? { enabled: form.enabled } : {}) };
}

/** What was set of a channel, without how it does. Of its keys, only what is shown of them. */
function settingsOf(shown: Channel | undefined): Words {
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
async function tryOut(
  services: OperatorServices,
  channels: Channels,
  call: CallOf<typeof TRY_CHANNEL>,
) {
  call.incoming.keepOpen();
  const form = await call.body();
  const { test, listed } = await tryChannel(services, channels, form, call.principal.name);
  const answer: ChannelTrial = { ...testToJson(test), object: "channel_trial", models: listed };
  const { ok, status } = answer;
  // Where it led, since nothing else keeps that.
  const detail = { ok, status, base_url: form.base_url };
  return { tried: String(form.id ?? form.vendor ?? ""), answer, detail };
}

type Find = (id: string) => Promise<Channel | undefined>;

/** What is written to the audit log of channels, by the names that they have then. */
function notesOf({ audit }: OperatorServices, find: Find) {
  const note = async (
    { principal }: Call,
    action: string,
    target: string,
    detail: object = {},
    changes?: Changes,
  ) => {
    const name = (await find(target))?.name;
    const told = name === undefined ? { ...detail } : { name, ...detail };
    return audit.write({ principal, accountId: null, action, target, detail: told, changes });
  };
  const noteModels = async (call: Call, { new_models = [] }: ReadChannelForm) => {
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
  const find: Find = async (id) =>
    (await channelsToJson(services, fileIds)).find((each) => each.id === id);
  const show = async (id: string): Promise<Channel> => {
    const shown = await find(id);
    if (!shown) throw noSuch("channel", id);
    return shown;
  };
  const { note, noteModels } = notesOf(services, find);
  const idOf = ({ incoming }: Call) => incoming.params.id ?? "";
  return [
    guards.operator(LIST_CHANNELS, async () => shownList(await channelsToJson(services, fileIds))),
    guards.operator(CREATE_CHANNEL, async (call) => {
      const form = await call.body();
      checkMoney(call.principal, form, PRICED);
      const id = await channels.create(form, call.principal.name);
      await note(call, "channel.create", id, { vendor: form.vendor, ...namesOf(form) });
      await noteModels(call, form);
      return show(id);
    }),
    guards.operator(TRY_CHANNEL, async (call) => {
      const { tried, answer, detail } = await tryOut(services, channels, call);
      await note(call, "channel.try", tried, detail);
      return answer;
    }),
    guards.operator(SHOW_CHANNEL, async (call) => show(idOf(call))),
    guards.operator(CHANGE_CHANNEL, async (call) => {
      const form = await call.body();
      checkMoney(call.principal, form, PRICED_LATER);
      const before = settingsOf(await find(idOf(call)));
      await channels.change(idOf(call), form, call.principal.name);
      const changes = changesBetween(before, settingsOf(await find(idOf(call))));
      await note(call, "channel.change", idOf(call), namesOf(form), changes);
      await noteModels(call, form);
      return show(idOf(call));
    }),
    guards.operator(DELETE_CHANNEL, async (call) => {
      const id = idOf(call);
      const name = (await find(id))?.name;
      await channels.remove(id);
      await note(call, "channel.delete", id, { name });
      return { object: "channel" as const, id, deleted: true as const };
    }),
    guards.operator(REVIVE_CHANNEL, async (call) => {
      await channels.revive(idOf(call));
      await note(call, "channel.revive", idOf(call));
      return show(idOf(call));
    }),
    guards.operator(TEST_CHANNEL, async (call) => {
      call.incoming.keepOpen();
      const { model } = await call.body();
      const test = testToJson(await channels.test(idOf(call), model));
      await note(call, "channel.test", idOf(call), { ok: test.ok, status: test.status });
      return test;
    }),
  ];
}
