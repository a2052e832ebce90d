import { isDollars } from "./dollars.ts";
import type { Environment } from "./environment.ts";
import { ConfigError, didYouMean, Members } from "./members.ts";
import { type ModelConfig, readModelConfig } from "./models.ts";
import { parseYaml } from "./yaml.ts";

/** Vendors that a channel can be made of. The embedded one is switched in the environment. */
export const VENDOR_IDS = [
  "openai",
  "anthropic",
  "google",
  "azure",
  "deepseek",
  "moonshot",
  "zhipu",
  "alibaba",
  "minimax",
  "xai",
  "mistral",
  "groq",
  "together",
  "fireworks",
  "openrouter",
  "ollama",
  "lmstudio",
  "llamacpp",
  "vllm",
] as const;

type VendorId = (typeof VENDOR_IDS)[number];

/** They answer without a credential, unless whoever runs them asks for one. */
const KEYLESS: readonly string[] = ["ollama", "lmstudio", "llamacpp", "vllm", "custom"];
/** Their address is the operator's own. */
const PLACELESS: readonly string[] = ["azure", "custom"];

const PROTOCOLS = ["responses", "chat", "messages", "gemini"] as const;
const WEIGHT = { min: 1, max: 1_000_000 };
const PRIORITY = { min: -1_000, max: 1_000 };
export const MARKUP_PERCENT_MAX = 10_000;
const ALLOWED_DOLLARS_MAX = 1_000;

/** A vendor with credentials, as the file describes it. */
export type ChannelConfig = Readonly<ReturnType<typeof readChannel>>;

export interface ConfigFile {
  readonly channels: readonly ChannelConfig[];
  readonly models: readonly ModelConfig[];
  readonly markupPercent: string | undefined;
}

/** `${NAME}` in a text is the variable's value. One that is not set is a mistake, not nothing. */
function expand(text: string, env: Environment, where: string): string {
  return text.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
    const value = env[name]?.trim();
    if (value) return value;
    throw new ConfigError(`${where} names the variable ${name}, which is not set; set it.`);
  });
}

function readVendor(members: Members, id: string): VendorId | "custom" {
  const vendor = members.oneOf("vendor", [...VENDOR_IDS, "custom"]);
  if (vendor === undefined) return members.fail("vendor", 'is missing; name one, or "custom".');
  const taken = id === "sandbox" || (VENDOR_IDS.some((name) => name === id) && id !== vendor);
  return taken ? members.fail("id", `is the name of another vendor; choose another.`) : vendor;
}

function readKeys(members: Members, vendor: string, fill: (text: string, at: string) => string) {
  const texts = members.texts("keys") ?? [];
  const keys: readonly string[] = texts.flatMap((text, index) => {
    const all = fill(text, members.at(`keys[${index}]`)).split(/[\s,]+/);
    return all.filter(Boolean);
  });
  if (keys.length > 0 || KEYLESS.includes(vendor)) return keys;
  return members.fail("keys", "is missing; list the credentials, or the variables that hold them.");
}

function readBaseUrl(members: Members, vendor: string, fill: (text: string, at: string) => string) {
  const text = members.optionalText("base_url");
  if (text === undefined) {
    if (!PLACELESS.includes(vendor)) return undefined;
    return members.fail("base_url", "is missing; write it as https://…");
  }
  const url = fill(text, members.at("base_url"));
  const fine = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  // The address is not repeated: it may hold a password.
  return fine ? url.replace(/\/+$/, "") : members.fail("base_url", "must be http://… or https://…");
}

function readHeaders(members: Members, fill: (text: string, at: string) => string) {
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(members.textMap("headers"))) {
    const at = `headers.${name}`;
    const value = fill(text, members.at(at));
    if (!/^[A-Za-z0-9-]+$/.test(name) || !/^[\x20-\x7e]+$/.test(value)) {
      members.fail(at, "is not a header: a name of letters and hyphens, and one line of text.");
    }
    const sent = name.toLowerCase();
    if (Object.hasOwn(headers, sent))
      members.fail(at, "is there in other capitals; leave one out.");
    headers[sent] = value;
  }
  return headers;
}

interface ChannelModel {
  /** Our identifier. */
  readonly id: string;
  /** The vendor's; where it is not said, the catalogue's for this channel or vendor. */
  readonly upstreamId: string | undefined;
}

/** `vendor`: whatever the catalogue knows this vendor, or this channel, to have. */
function readChannelModels(members: Members): "vendor" | "fetch" | readonly ChannelModel[] {
  const value = members.value("models");
  if (value === undefined) return "vendor";
  if (value === "fetch") return "fetch";
  if (typeof value === "string") {
    return members.fail("models", 'must be a list, a mapping, or the word "fetch".');
  }
  if (Array.isArray(value)) {
    return (members.texts("models") ?? []).map((id) => ({ id, upstreamId: undefined }));
  }
  const map = Object.entries(members.textMap("models"));
  return map.map(([id, upstreamId]) => ({ id, upstreamId }));
}

/** Names of members, or of kinds of tools, with what a request that has one costs for it. */
function readAllowed(members: Members): Readonly<Record<string, string>> {
  const listed = members.object("allow", undefined);
  const entries = listed?.names().map((name) => {
    const dollars = listed.decimal(name, Number.POSITIVE_INFINITY);
    if (dollars !== undefined && isDollars(dollars, ALLOWED_DOLLARS_MAX)) return [name, dollars];
    const most = `0 to ${ALLOWED_DOLLARS_MAX}, with at most nine digits behind the point`;
    return listed.fail(name, `must be dollars for each request, ${most}.`);
  });
  return Object.fromEntries(entries ?? []);
}

const CHANNEL_MEMBERS = [
  "id",
  "vendor",
  "name",
  "base_url",
  "keys",
  "protocols",
  "weight",
  "priority",
  "models",
  "enabled",
  "on_disconnect",
  "headers",
  "free",
  "allow",
];

/** One channel, wherever it is described. Without variables to fill in, `env` is empty. */
export function readChannel(value: unknown, where: string, env: Environment) {
  const members = new Members(value, where, CHANNEL_MEMBERS);
  const id = members.id();
  const vendor = readVendor(members, id);
  const enabled = members.flag("enabled", true);
  // A channel that is switched off may name variables that are not there any more.
  const fill = (text: string, at: string) => (enabled ? expand(text, env, at) : text);
  const protocols = members.words("protocols", PROTOCOLS);
  if (protocols !== undefined && vendor !== "custom") {
    members.fail("protocols", `is known for ${vendor}; leave it out, or make the vendor "custom".`);
  }
  return {
    /** Words for where it stands, to begin a complaint with. */
    where,
    id,
    vendor,
    name: members.optionalText("name") ?? id,
    baseUrl: readBaseUrl(members, vendor, fill),
    keys: readKeys(members, vendor, fill),
    /** What a custom vendor speaks, the best first. Empty for vendors that are known. */
    protocols: protocols ?? (vendor === "custom" ? ["chat"] : []),
    weight: members.optionalWhole("weight", WEIGHT) ?? 1,
    /** The highest number is tried first. */
    priority: members.optionalWhole("priority", PRIORITY) ?? 0,
    models: readChannelModels(members),
    enabled,
    onDisconnect: members.oneOf("on_disconnect", ["abort", "drain"]),
    headers: readHeaders(members, fill),
    /** Nobody is billed for what it does. */
    free: members.flag("free", false),
    /** What may be asked of it beyond the lists, and what that costs a request in dollars. */
    allow: readAllowed(members),
  };
}

function refuseTwins(entries: readonly { id: string; where: string }[]): void {
  const seen = new Map<string, string>();
  for (const { id, where } of entries) {
    const first = seen.get(id);
    if (first) throw new ConfigError(`${where}.id is "${id}", as ${first}.id is; rename one.`);
    seen.set(id, where);
  }
}

/** A model's upstream names must belong to somebody. */
function refuseStrangers({ channels, models }: ConfigFile): void {
  const owners = [...new Set([...VENDOR_IDS, "sandbox", ...channels.map(({ id }) => id)])];
  for (const { upstream, where } of models) {
    const stranger = Object.keys(upstream).find((name) => !owners.includes(name));
    if (stranger === undefined) continue;
    const hint = didYouMean(stranger, owners) || "; name a vendor, or the id of a channel.";
    throw new ConfigError(`${where}.upstream.${stranger} is not a vendor or a channel${hint}`);
  }
}

/** The text of the file → its channels, models and prices, or the first thing that is wrong. */
export function parseConfigFile(text: string, path: string, env: Environment): ConfigFile {
  const known = ["channels", "models", "markup_percent"];
  const members = new Members(parseYaml(text, path) ?? {}, `${path}:`, known);
  const file: ConfigFile = {
    channels: members.list("channels").map(({ value, where }) => readChannel(value, where, env)),
    models: members.list("models").map(({ value, where }) => readModelConfig(value, where)),
    markupPercent: members.decimal("markup_percent", MARKUP_PERCENT_MAX),
  };
  refuseTwins(file.channels);
  refuseTwins(file.models);
  refuseStrangers(file);
  return file;
}
