import { isBareAddress } from "../lib/net/bare-address.ts";
import { malformedProxy, type Proxies, readProxies } from "../lib/net/proxies.ts";
import { type Environment, oneOf } from "./environment.ts";
import { ConfigError } from "./members.ts";

/** Where public accounts are that name no other place. */
export const REAL_PLATFORM = "https://api.weixin.qq.com";

function platformUrl(env: Environment): string | null {
  const name = "FAREGATE_PLATFORM_URL";
  const text = env[name];
  if (!text) return REAL_PLATFORM;
  if (text === "built-in") return null;
  if (!isBareAddress(text)) {
    throw new ConfigError(`${name} is not an address; write it as https://…, or built-in.`);
  }
  return text.replace(/\/+$/, "");
}

function proxies(env: Environment): Proxies {
  const name = malformedProxy(env);
  if (name === undefined) return readProxies(env);
  const form = "write it as http://name:password@host:port";
  const signs = "with signs like # / ? @ in the password as %23, %2F, %3F, %40";
  throw new ConfigError(`${name} is not the address of a proxy; ${form}, ${signs}.`);
}

/** Where drafts go, and what may be done with them. */
export function readDrafts(env: Environment) {
  return {
    /** The platform of public accounts that name no other; null for the built-in one. */
    platformUrl: platformUrl(env),
    /** By which the platform is called, where the operator has chosen its address. */
    proxies: proxies(env),
    /** Whether drafts may be published from here, where the public account allows it too. */
    publish: oneOf(env, "FAREGATE_DRAFTS_PUBLISH", ["off", "on"]) === "on",
    /** Whether platforms and pictures may be in networks of the operator's own. */
    privateNetworks: oneOf(env, "FAREGATE_DRAFTS_PRIVATE_NETWORKS", ["off", "on"]) === "on",
  };
}
