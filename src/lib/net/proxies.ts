import { isHere } from "./direct.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxies that the environment names, and whom they are not for. */
export interface Proxies {
  readonly https: string | undefined;
  readonly http: string | undefined;
  readonly except: readonly string[];
}

const NAMES = ["HTTPS_PROXY", "HTTP_PROXY"] as const;

/** Which of the two spellings of a variable is set; the small one where both are. */
function spelling(env: Environment, name: string): string {
  return env[name.toLowerCase()] ? name.toLowerCase() : name;
}

function setting(env: Environment, name: string): string | undefined {
  return env[spelling(env, name)] || undefined;
}

/** Also written without http:// in front, as other programs take it. One of another kind fails when used. */
function proxyUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  return url?.href;
}

/** What stands behind the host is a part of a password, mostly, whose signs were not encoded. */
function isProxyUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^\/?$/.test(url.pathname) && url.search === "" && url.hash === "";
}

/** The variable that is set and names no proxy: to call directly in its place would be a leak. */
export function malformedProxy(env: Environment): string | undefined {
  const name = NAMES.find((each) => {
    const text = setting(env, each);
    return text !== undefined && !isProxyUrl(proxyUrl(text) ?? "");
  });
  return name && spelling(env, name);
}

export function readProxies(env: Environment): Proxies {
  return {
    https: proxyUrl(setting(env, "HTTPS_PROXY")),
    http: proxyUrl(setting(env, "HTTP_PROXY")),
    except: (setting(env, "NO_PROXY") ?? "")
      .split(",")
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== ""),
  };
}

/** An entry is a host or a domain with all below it, with or without a dot in front and a port. */
function isExcept(entry: string, url: URL): boolean {
  if (entry === "*") return true;
  const [, domain = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const ownPort = url.port || (url.protocol === "https:" ? "443" : "80");
  if (port !== undefined && port !== ownPort) return false;
  const name = domain.replace(/^\*?\./, "");
  return url.hostname === name || url.hostname.endsWith(`.${name}`);
}

/** The proxy of the environment for an address; undefined where it is called directly. */
export function proxyFor(address: string, proxies: Proxies): string | undefined {
  const url = URL.parse(address);
  if (!url || isHere(url) || proxies.except.some((entry) => isExcept(entry, url))) return undefined;
  return url.protocol === "https:" ? proxies.https : proxies.http;
}
