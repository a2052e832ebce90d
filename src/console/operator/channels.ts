import { type Catalogue, suggest } from "../../catalogue/models.ts";
import { VENDOR_IDS } from "../../config/file.ts";
import type { StoredChannel } from "../../installation/snapshot.ts";
import { Fault } from "../../lib/faults.ts";
import type { ChannelSettings } from "../../upstream/channels/channel-settings.ts";
import {
  type ChannelEdit,
  editChannel,
  writeChannel,
} from "../../upstream/channels/stored-channels.ts";
import { storedWords } from "./channel-view.ts";
import type { ReadChannelForm } from "./contract/channels.ts";
import { atField, noSuch } from "./field-fault.ts";
import type { Prices } from "./prices.ts";
import { ProvenChannels } from "./proven-channels.ts";
import type { OperatorServices } from "./services.ts";

/** A name that nobody of ours has chosen is shown no further. */
const MODEL_CHARS_SHOWN = 100;

type Words = Readonly<Record<string, unknown>>;

function wordsOf(form: ReadChannelForm): Words {
  const { add_keys: _added, remove_keys: _removed, new_models: _models, ...words } = form;
  return words;
}

/** A password in an address would be shown with it. */
function refusePassword(baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  const { username, password } = new URL(baseUrl);
  if (username === "" && password === "") return;
  throw new Fault("invalid_value", "Put credentials into keys or headers, not into the address.", {
    param: "base_url",
  });
}

/**
 * A channel after a change. One whose secrets or words cannot be read any more is repaired by a change
 * that says its keys anew; what else of it can be read is kept.
 */
function edited(
  stored: StoredChannel,
  form: ReadChannelForm,
  vault: OperatorServices["vault"],
): ReturnType<typeof writeChannel> {
  const words = wordsOf(form);
  const problem = whyUnreadable(stored, vault);
  if (problem === undefined) {
    const edit: ChannelEdit = {
      words,
      addKeys: form.add_keys ?? [],
      removeKeys: form.remove_keys ?? [],
    };
    return editChannel(stored, edit, vault);
  }
  if (!form.keys) {
    const message = `What is stored of this channel cannot be read (${problem}). Write its keys anew.`;
    throw new Fault("invalid_value", message, { param: "keys" });
  }
  const kept = Object.entries({ id: stored.id, ...storedWords(stored), ...words });
  return writeChannel(Object.fromEntries(kept.filter(([, value]) => value !== null)), vault);
}

function whyUnreadable(
  { form, secrets }: StoredChannel,
  vault: OperatorServices["vault"],
): string | undefined {
  try {
    JSON.parse(form);
    JSON.parse(vault.open(secrets));
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** The channels of the installation, changed while it runs. */
export class Channels {
  readonly #services: OperatorServices;
  readonly #prices: Prices;
  /** Told of those that were tried. */
  readonly proven = new ProvenChannels();

  constructor(services: OperatorServices, prices: Prices) {
    this.#services = services;
    this.#prices = prices;
  }

  #find(id: string): StoredChannel | undefined {
    return this.#services.installation.snapshot.channels.find((channel) => channel.id === id);
  }

  #isConfigured(id: string): boolean {
    const { states } = this.#services.routes;
    return !this.#find(id) && states.some(({ channel }) => channel.id === id && !channel.embedded);
  }

  /** The vendor's name, or the first of its names with a number that is free. */
  #freeId(vendor: unknown): string {
    const base = VENDOR_IDS.find((id) => id === vendor) ?? "custom";
    const taken = new Set([
      ...this.#services.routes.states.map(({ channel }) => channel.id),
      ...this.#services.installation.snapshot.channels.map(({ id }) => id),
    ]);
    // Nobody else's name: the second of a vendor cannot be called as another vendor is.
    for (let number = 1; ; number++) {
      const id = number === 1 && base !== "custom" ? base : `${base}-${number}`;
      if (!taken.has(id)) return id;
    }
  }

  #written(form: ReadChannelForm): ReturnType<typeof writeChannel> {
    const words = wordsOf(form);
    const id = words.id ?? this.#freeId(words.vendor);
    return atField(() => writeChannel({ ...words, id }, this.#services.vault));
  }

  async create(form: ReadChannelForm, by: string): Promise<string> {
    const { store, installation, clock } = this.#services;
    await installation.reload();
    const { settings, parts } = this.#written(form);
    const { catalogue, models } = this.#prices.bringing(form.new_models ?? [], by);
    this.#check(form, settings, catalogue);
    const nowMs = clock();
    const channel = { id: settings.id, ...parts, revivedAtMs: 0, createdAtMs: nowMs };
    if (this.#isConfigured(settings.id) || settings.id === "sandbox") throw taken(settings.id);
    const added = await store.addChannel({ ...channel, changedAtMs: nowMs }, models);
    if (!added) throw taken(settings.id);
    await this.#inForce(settings.id);
    return settings.id;
  }

  /** What a form describes, a new channel or one that exists with a change, while nothing is stored. */
  async described(form: ReadChannelForm, by: string) {
    await this.#services.installation.reload();
    const stored = this.#find(String(form.id ?? ""));
    const { settings } = stored
      ? atField(() => edited(stored, form, this.#services.vault))
      : this.#written(form);
    const { catalogue } = this.#prices.bringing(form.new_models ?? [], by);
    this.#check(form, settings, catalogue);
    return { settings, catalogue };
  }

  #check(form: ReadChannelForm, settings: ChannelSettings, catalogue: Catalogue): void {
    refusePassword(settings.baseUrl);
    const { models } = settings;
    // A model that has gone since is not the doing of a form that names none; it is shown as unpriced.
    if (form.models === undefined || typeof models === "string") return;
    const wrong = models.find(({ id }) => !catalogue.find(id));
    if (!wrong) return;
    const ids = [...catalogue.all()].map((model) => model.id);
    const meant = suggest(wrong.id, ids);
    const hint = meant ? `did you mean '${meant}'?` : "give it one in new_models.";
    throw new Fault("invalid_value", `'${wrong.id}' is a model without a price; ${hint}`, {
      param: "models",
    });
  }

  async change(id: string, form: ReadChannelForm, by: string): Promise<void> {
    const { store, installation, vault, clock } = this.#services;
    await installation.reload();
    if (!this.#find(id)) return this.#switch(id, form);
    const words = wordsOf(form);
    if (words.id !== undefined && words.id !== id) {
      throw new Fault(
        "invalid_value",
        "The id of a channel cannot change, because receipts name it.",
        {
          param: "id",
        },
      );
    }
    const { catalogue, models } = this.#prices.bringing(form.new_models ?? [], by);
    const change = (stored: StoredChannel) => {
      const { settings, parts } = atField(() => edited(stored, form, vault));
      this.#check(form, settings, catalogue);
      // Keys that somebody has just written are to be tried, even where they are the same.
      const anew = form.keys || form.add_keys;
      const revivedAtMs = anew ? this.#revivedAtMs(stored) : stored.revivedAtMs;
      return { ...stored, ...parts, revivedAtMs, changedAtMs: clock() };
    };
    if (!(await store.changeChannel(id, change, models))) throw noSuch("channel", id);
    await this.#inForce(id);
  }

  /** What was stored is in force, and what is known of it from before it was. */
  async #inForce(id: string): Promise<void> {
    const { installation, routes, gate } = this.#services;
    await installation.reload();
    const state = routes.states.find(({ channel }) => channel.id === id);
    if (state && this.proven.has(state.channel)) await gate.prove(id);
  }

  /** A channel that is configured elsewhere can be switched off here, and on again. */
  async #switch(id: string, form: ReadChannelForm): Promise<void> {
    if (!this.#isConfigured(id)) throw noSuch("channel", id);
    const other = Object.keys(form).find((name) => name !== "enabled");
    if (other !== undefined || typeof form.enabled !== "boolean") {
      const where = "is set by the environment or faregate.yaml; only 'enabled' is changed here.";
      throw new Fault("invalid_value", `This channel ${where}`, { param: other ?? "enabled" });
    }
    const off = !form.enabled;
    const { store, installation } = this.#services;
    await store.changeSwitch(id, (before) => ({ ...before, off }));
    await installation.reload();
  }

  async remove(id: string): Promise<void> {
    const { store, installation } = this.#services;
    if (await store.removeChannel(id)) return installation.reload();
    if (!this.#isConfigured(id)) throw noSuch("channel", id);
    throw new Fault(
      "invalid_value",
      "This channel is set by the environment or faregate.yaml; remove it there.",
      { param: "id" },
    );
  }

  /**
   * Now, and later than what is stored: every process notices by a later time that somebody has asked for it,
   * and the clock may have been set back since, or may be that of another machine.
   */
  #revivedAtMs(before: Pick<StoredChannel, "revivedAtMs">): number {
    return Math.max(this.#services.clock(), before.revivedAtMs + 1);
  }

  /** Its keys may be tried again at once, here and in every other process. */
  async revive(id: string): Promise<void> {
    const { store, installation, routes } = this.#services;
    await installation.reload();
    const revived = <Row extends { readonly revivedAtMs: number }>(before: Row): Row => ({
      ...before,
      revivedAtMs: this.#revivedAtMs(before),
    });
    if (this.#find(id)) {
      if (!(await store.changeChannel(id, revived))) throw noSuch("channel", id);
      return installation.reload();
    }
    if (!routes.states.some(({ channel }) => channel.id === id)) throw noSuch("channel", id);
    await store.changeSwitch(id, revived);
    await installation.reload();
  }

  async test(id: string, model: string | undefined) {
    const { routes, gate } = this.#services;
    if (!routes.states.some(({ channel }) => channel.id === id)) throw noSuch("channel", id);
    const tested = await gate.test(id, model);
    if (tested) return tested;
    const message =
      model === undefined
        ? "This channel has no model with a price, and no list of models to ask for."
        : `This channel does not serve '${model.slice(0, MODEL_CHARS_SHOWN)}'.`;
    throw new Fault("invalid_value", message, { param: "model" });
  }
}

function taken(id: string): Fault {
  return new Fault("invalid_value", `There is a channel '${id}' already; choose another id.`, {
    param: "id",
  });
}
