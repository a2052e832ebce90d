import { readChannel } from "../../config/file.ts";
import { ConfigError } from "../../config/members.ts";
import type { Vault } from "../../lib/secrets/vault.ts";
import type { ChannelSettings } from "./channel-settings.ts";

/** Whoever reads the database cannot read what is sealed. */
type Sealing = Pick<Vault, "seal" | "open">;

/** What of a channel nobody reads back. */
interface Secrets {
  readonly keys: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

type Words = Readonly<Record<string, unknown>>;

/** A channel in two parts: what may be shown, and what is sealed. */
interface StoredParts {
  /** The words of the file without what is secret, as JSON. */
  readonly form: string;
  readonly secrets: string;
}

/** What is done to a channel that exists: words by name, and keys that come and go. */
export interface ChannelEdit {
  /** A word that is null is taken away. */
  readonly words: Words;
  readonly addKeys: readonly string[];
  /** The last four characters of keys. */
  readonly removeKeys: readonly string[];
}

function openSecrets(secrets: string, vault: Sealing): Secrets {
  return JSON.parse(vault.open(secrets)) as Secrets;
}

/** Throws a `ConfigError` where the words do not describe a channel. */
function settingsOf(words: Words): ChannelSettings {
  // Variables are the file's: whoever writes here must not read the environment by it.
  return readChannel(words, "channel", {});
}

function partsOf(words: Words, settings: ChannelSettings, vault: Sealing): StoredParts {
  const { keys: _keys, headers: _headers, ...form } = words;
  const { keys, headers } = settings;
  const secrets: Secrets = { keys, headers };
  return { form: JSON.stringify(form), secrets: vault.seal(JSON.stringify(secrets)) };
}

/** A channel as it was written, checked by the rules of the file. */
export function writeChannel(words: Words, vault: Sealing) {
  const settings = settingsOf(words);
  return { settings, parts: partsOf(words, settings, vault) };
}

/** Throws where the secrets cannot be opened any more, or the words are none of today. */
export function openStored(parts: StoredParts, vault: Sealing): ChannelSettings {
  const { keys, headers } = openSecrets(parts.secrets, vault);
  return settingsOf({ ...(JSON.parse(parts.form) as Words), keys, headers });
}

/** Who gets the keys of a channel: a server, or the vendor at its own. Undefined where it leads nowhere. */
function serverOf({ base_url: address, vendor }: Words): string | undefined {
  if (address === undefined || address === null) return String(vendor);
  return URL.canParse(String(address)) ? new URL(String(address)).origin : undefined;
}

/** What is kept was given for one server. Whoever names another has to know it, and not only to have it sent. */
function refuseToCarry(former: Words, words: Words, kept: Readonly<Record<string, boolean>>): void {
  const [from, to] = [serverOf(former), serverOf(words)];
  const carried = Object.keys(kept).find((name) => kept[name]);
  if (carried === undefined || from === undefined || to === undefined || from === to) return;
  throw new ConfigError(
    `channel.${carried} of ${from} are not sent to ${to}; enter them again, or remove them.`,
  );
}

/**
 * The same channel after an edit. Keys and headers that the edit does not name stay as they are, unless it
 * leads to another server.
 */
export function editChannel(parts: StoredParts, edit: ChannelEdit, vault: Sealing) {
  const secrets = openSecrets(parts.secrets, vault);
  const former = JSON.parse(parts.form) as Words;
  const merged = { ...former, ...secrets, ...edit.words };
  const stated = Array.isArray(merged.keys) ? (merged.keys as unknown[]) : [];
  const kept = stated.filter(
    (key) => typeof key !== "string" || !edit.removeKeys.includes(key.slice(-4)),
  );
  const words = Object.fromEntries(
    Object.entries({ ...merged, keys: [...kept, ...edit.addKeys] }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  );
  const written = writeChannel(words, vault);
  refuseToCarry(former, words, {
    keys: !("keys" in edit.words) && kept.some((key) => !edit.addKeys.includes(String(key))),
    headers: !("headers" in edit.words) && Object.keys(secrets.headers).length > 0,
  });
  return written;
}
