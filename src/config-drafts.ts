import { ConfigError } from "./config-members.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where drafts go, and what may be done with them. */
export interface DraftSettings {
  /** The platform of public accounts that name no other; the built-in one where absent. */
  readonly platformUrl: string | undefined;
  /** Whether drafts may be published from here, where the public account allows it too. */
  readonly publish: boolean;
  /** Whether platforms and pictures may be in networks of the operator's own. */
  readonly privateNetworks: boolean;
}

function isOn(env: Environment, name: string): boolean {
  const value = env[name] || "off";
  if (value === "on" || value === "off") return value === "on";
  throw new ConfigError(`${name} is "${value}"; it must be one of off, on.`);
}

function platformUrl(env: Environment): string | undefined {
  const name = "FAREGATE_PLATFORM_URL";
  const text = env[name];
  if (!text || text === "built-in") return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.username !== "") {
    throw new ConfigError(`${name} is not an address; write it as https://…, or built-in.`);
  }
  return text.replace(/\/+$/, "");
}

export function readDrafts(env: Environment): DraftSettings {
  return {
    platformUrl: platformUrl(env),
    publish: isOn(env, "FAREGATE_DRAFTS_PUBLISH"),
    privateNetworks: isOn(env, "FAREGATE_DRAFTS_PRIVATE_NETWORKS"),
  };
}
