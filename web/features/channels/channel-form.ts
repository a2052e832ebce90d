import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import type { Translate } from "../../i18n/language.tsx";
import { isWebAddress } from "../../lib/checks.ts";
import { changed } from "../../lib/forms/changed.ts";
import { newModels, type PriceValues } from "./new-models.ts";
import { KEYLESS, PLACELESS } from "./vendors.ts";

export const PROTOCOLS = ["chat", "responses", "messages", "gemini"] as const;
type Protocol = (typeof PROTOCOLS)[number];

export const EMPTY_CHANNEL = {
  vendor: "openai",
  name: "",
  keys: "",
  /** The last four characters of keys that go. */
  removed: [] as readonly string[],
  base_url: "",
  protocols: "chat" as Protocol,
  models: "",
  priority: "",
  weight: "",
  /** What models cost that have no price yet, by their id. */
  prices: {} as Readonly<Record<string, PriceValues>>,
};

/** What the dialogs hold, as it was typed, by the API's names. */
export type ChannelValues = Readonly<typeof EMPTY_CHANNEL>;

/** `vendor` is nothing typed; a name of the vendor's own stands behind an equals sign. */
export function modelsText(models: Channel["models"]): string {
  if (typeof models === "string") return models === "vendor" ? "" : models;
  if (Array.isArray(models)) return models.join(", ");
  return Object.entries(models)
    .map(([id, upstream]) => (id === upstream ? id : `${id}=${upstream}`))
    .join(", ");
}

export function readModels(typed: string): Exclude<Channel["models"], "vendor"> | null {
  const words = wordsIn(typed);
  if (words.length === 0) return null;
  if (words.length === 1 && words[0] === "fetch") return "fetch";
  if (!words.some((word) => word.includes("="))) return words;
  return Object.fromEntries(
    words.map((word) => {
      const [id = "", upstream = id] = word.split(/=(.*)/s);
      return [id, upstream];
    }),
  );
}

export function wordsIn(typed: string): string[] {
  return typed.split(/[\s,]+/).filter(Boolean);
}

export function valuesOf(channel: Channel): ChannelValues {
  return {
    ...EMPTY_CHANNEL,
    vendor: channel.vendor ?? "",
    name: channel.name === channel.id ? "" : channel.name,
    base_url: channel.base_url ?? "",
    models: modelsText(channel.models),
    priority: channel.priority === 0 ? "" : String(channel.priority),
    weight: channel.weight === 1 ? "" : String(channel.weight),
  };
}

type Errors = Partial<Record<keyof ChannelValues, string>>;

/** `kept`: the channel has a key already that stays. */
export function checkChannel(values: ChannelValues, t: Translate, kept = false): Errors {
  const errors: Errors = {};
  const { vendor } = values;
  const address = values.base_url.trim();
  if (!kept && !KEYLESS.includes(vendor) && wordsIn(values.keys).length === 0) {
    errors.keys = t("errors.required");
  }
  if (address === "" && PLACELESS.includes(vendor)) errors.base_url = t("errors.required");
  if (address !== "" && !isWebAddress(address)) errors.base_url = t("channels.badAddress");
  if (!/^$|^-?\d{1,4}$/.test(values.priority.trim())) errors.priority = t("channels.badPriority");
  if (!/^$|^[1-9]\d{0,5}$/.test(values.weight.trim())) errors.weight = t("errors.wholeNumber");
  return errors;
}

function numberOf(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed);
}

function wordsOf(values: ChannelValues) {
  return {
    name: values.name.trim() || null,
    base_url: values.base_url.trim() || null,
    models: readModels(values.models),
    priority: numberOf(values.priority),
    weight: numberOf(values.weight),
  };
}

type Form = Readonly<Record<string, unknown>>;

/** What is asked of the API for a new channel: only what was said. `unpriced`: models that get a price by it. */
export function newChannel(values: ChannelValues, unpriced: readonly string[] = []): Form {
  const keys = wordsIn(values.keys);
  const said = Object.entries(wordsOf(values)).filter(([, value]) => value !== null);
  return {
    vendor: values.vendor,
    // The catalogue knows no model of a server that is nobody's: it serves what it lists.
    ...(values.vendor === "custom" && { protocols: [values.protocols], models: "fetch" }),
    ...Object.fromEntries(said),
    ...(keys.length > 0 && { keys }),
    ...newModels(values, unpriced),
  };
}

/** What is asked for one that exists. Its keys are named only where they come or go. */
export function channelChange(
  before: ChannelValues,
  values: ChannelValues,
  unpriced: readonly string[] = [],
): Form {
  const keys = wordsIn(values.keys);
  return {
    ...changed(wordsOf(values), wordsOf(before)),
    ...(keys.length > 0 && { add_keys: keys }),
    ...(values.removed.length > 0 && { remove_keys: values.removed }),
    ...newModels(values, unpriced),
  };
}

/** Whether a change is about where requests go and with what, and not only about names and order. */
export function changesTarget(before: ChannelValues, after: ChannelValues): boolean {
  if (wordsIn(after.keys).length > 0 || after.removed.length > 0) return true;
  return before.base_url !== after.base_url || before.models !== after.models;
}

/** The field at which a refusal of the API is shown. */
export function fieldOf(param: string): string {
  const field = param.replace(/[[.].*$/, "");
  if (field === "new_models") return "prices";
  return field === "add_keys" || field === "remove_keys" ? "keys" : field;
}
