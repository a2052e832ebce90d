import type { Config } from "../../config/config.ts";
import { bodyInit, type ChunkedText } from "../../lib/text/chunked-text.ts";
import type { Dialect } from "../../protocols/wire.ts";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { type ChannelFeatures, channelFeatures } from "../allowed-features.ts";
import { Reach } from "../reach.ts";
import { vendorHeaders } from "../request-headers.ts";
import { fetchedCall } from "../transport/fetched-call.ts";
import type { VendorCall } from "../transport/vendor-answer.ts";
import { isProxied, type Ways, waysOf } from "../transport/ways.ts";
import type { Vendor, VendorEndpoint } from "../vendors.ts";
import {
  addressesOf,
  type ChannelSettings,
  environmentChannels,
  rowOf,
} from "./channel-settings.ts";
import { VendorKey } from "./credentials.ts";
import { fetching, openCaller, type VendorCaller } from "./vendor-caller.ts";

/** One call to a vendor, as the wire wrote it. */
export interface UpstreamCall {
  /** The wire that it is written in. */
  readonly endpoint: VendorEndpoint;
  /** Behind the vendor's base address, such as `/responses`. */
  readonly path: string;
  /** A long one as bytes. */
  readonly body: string | ChunkedText;
  readonly stream: boolean;
  readonly requestId: string;
  /** The client's headers that this vendor may see, by `passedHeaders`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A failure that the embedded vendor is asked to play. No other vendor sees it. */
  readonly sandboxFault: string | undefined;
}

/** A vendor with its keys: somewhere a request can go. It remembers nothing; `Routes` does. */
export interface Channel {
  readonly id: string;
  readonly vendor: string;
  readonly name: string;
  /** Who answers there. What is known of how it behaves belongs to it, not to the channel's other settings. */
  readonly place: string;
  readonly enabled: boolean;
  readonly weight: number;
  readonly priority: number;
  readonly onDisconnect: Vendor["onDisconnect"];
  /** Fails only where a client asks it to, which is no reason to spare it. */
  readonly embedded: boolean;
  /** What it speaks, the best to translate to first. */
  readonly endpoints: readonly VendorEndpoint[];
  readonly dialect: Dialect;
  readonly allows: ChannelFeatures;
  readonly searches: readonly VendorEndpoint[];
  /** At least one; a server without authentication has an empty one. */
  readonly keys: readonly VendorKey[];
  /** What it serves: what the catalogue says, what the vendor lists, or what is named. */
  readonly models: ChannelSettings["models"];
  /** Whose names of models it goes by in the catalogue, the nearest first. */
  readonly owners: readonly string[];
  /** Where it is spoken to in this protocol; absent where that is in this process. */
  addressOf?(endpoint: VendorEndpoint): string | undefined;
  /** Absent where there is nothing to connect to, or where the call itself knows whether it is connected. */
  reach?(endpoint: VendorEndpoint): Reach | undefined;
  call(call: UpstreamCall, key: VendorKey): VendorCall;
  /** The vendor's list of models, where it has one. */
  list?(key: VendorKey, signal: AbortSignal): Promise<Response>;
}

/** Somebody is billed for what is asked there, and the lists say what may be. */
const BILLED = channelFeatures({}, false);

const KEYLESS: readonly VendorKey[] = [new VendorKey("")];

/** What answers a call in the place of a vendor's server. */
type CallVendor = (call: UpstreamCall, key: VendorKey, signal: AbortSignal) => Promise<Response>;

/** A channel of which only the way to send is particular. */
export function plainChannel({
  send,
  ...particular
}: Pick<Channel, "id" | "vendor"> & Partial<Channel> & { readonly send: CallVendor }): Channel {
  return {
    call: (call, key) => fetchedCall((signal) => send(call, key, signal)),
    name: particular.id,
    place: particular.id,
    enabled: true,
    weight: 1,
    priority: 0,
    onDisconnect: "abort",
    embedded: false,
    endpoints: ["responses", "chat"],
    dialect: {},
    allows: BILLED,
    searches: [],
    keys: KEYLESS,
    models: "vendor",
    owners: [particular.id, particular.vendor],
    ...particular,
  };
}

/** How each protocol is called, and where that does not tell whether the server is there, its proof. */
interface Spoken {
  readonly caller: VendorCaller;
  readonly reach: Reach | undefined;
}

/** One proof for each server, however many protocols it speaks. */
function spokenBy(
  addresses: ReadonlyMap<VendorEndpoint, string>,
  ways: Ways,
  open: (endpoint: VendorEndpoint, address: string) => VendorCaller,
): ReadonlyMap<VendorEndpoint, Spoken> {
  const reaches = new Map<string, Reach>();
  const spoken = new Map<VendorEndpoint, Spoken>();
  for (const [endpoint, address] of addresses) {
    const caller = open(endpoint, address);
    const { origin } = new URL(address);
    const isProven = caller.knowsReach || isProxied(address, ways);
    const reach = isProven ? undefined : (reaches.get(origin) ?? new Reach(origin));
    if (reach) reaches.set(origin, reach);
    spoken.set(endpoint, { caller, reach });
  }
  return spoken;
}

function callerFor(
  spoken: ReadonlyMap<VendorEndpoint, Spoken>,
  endpoint: VendorEndpoint,
): VendorCaller {
  const found = spoken.get(endpoint);
  if (!found) throw new Error(`the channel does not speak ${endpoint}`);
  return found.caller;
}

/** A channel over the network, by the row of its vendor and what the operator says of it. */
export function openChannel(settings: ChannelSettings, ways: Ways): Channel {
  const row = rowOf(settings);
  const addresses = addressesOf(row, settings.baseUrl);
  const endpoints = [...addresses.keys()];
  const main = row.mainProtocol ?? endpoints[0] ?? "chat";
  const texts = settings.keys.length > 0 ? settings.keys : [""];
  const keys = texts.map((text) => new VendorKey(text, settings.headers));
  const own = { ...row.headers, ...settings.headers };
  const headersFor = (endpoint: VendorEndpoint, key: VendorKey) =>
    vendorHeaders(row.auth, endpoint, key, own);
  const spoken = spokenBy(addresses, ways, (endpoint, address) => {
    const headers = (key: VendorKey) => headersFor(endpoint, key);
    return openCaller({ endpoint, address, keys, headers }, ways);
  });
  return {
    id: settings.id,
    vendor: row.id,
    name: settings.name,
    place: [row.id, ...addresses].join(" "),
    enabled: settings.enabled && endpoints.length > 0,
    weight: settings.weight,
    priority: settings.priority,
    onDisconnect: settings.onDisconnect ?? row.onDisconnect,
    embedded: false,
    endpoints,
    dialect: row.dialect,
    allows: channelFeatures(settings.allow ?? {}, settings.free || row.unbilled === true),
    searches: row.searches ?? [],
    keys,
    models: settings.models,
    owners: [settings.id, row.id, ...(row.namesOf ? [row.namesOf] : [])],
    addressOf: (endpoint) => addresses.get(endpoint),
    reach: (endpoint) => spoken.get(endpoint)?.reach,
    call: (call, key) => callerFor(spoken, call.endpoint).call(call, key),
    ...(row.modelsPath === undefined
      ? {}
      : {
          list(key, signal) {
            const url = `${addresses.get(main)}${row.modelsPath}`;
            return fetch(url, { ...fetching(url), headers: headersFor(main, key), signal });
          },
        }),
  };
}

function sandboxChannel(): Channel {
  const vendor = createSandbox();
  return plainChannel({
    id: "sandbox",
    vendor: "sandbox",
    name: "Sandbox",
    embedded: true,
    endpoints: ["responses", "chat", "embeddings"],
    dialect: { developerRole: true, customTools: true },
    searches: ["responses"],
    send(call, _key, signal) {
      const headers: Record<string, string> = { "content-type": "application/json" };
      if (call.sandboxFault !== undefined) headers["x-sandbox-fault"] = call.sandboxFault;
      const url = `http://sandbox.invalid/v1${call.path}`;
      const body = bodyInit(call.body);
      return vendor(new Request(url, { method: "POST", headers, body, signal }));
    },
  });
}

/** What decides which channels there are, beside those that are described. */
type ChannelConfig = Pick<
  Config,
  "vendor" | "sandbox" | "proxied" | "transport" | "tlsUnverified" | "limits"
>;

/**
 * The channels of the environment and those that are described, of which the last wins where several
 * have the same id. The sandbox leaves once a real vendor is there. A channel whose settings have
 * not changed since it was asked for last is the same object.
 */
export class ChannelSource {
  readonly #config: ChannelConfig;
  readonly #ways: Ways;
  readonly #sandbox = sandboxChannel();
  #opened: ReadonlyMap<string, Channel> = new Map();

  constructor(config: ChannelConfig) {
    this.#config = config;
    this.#ways = waysOf(config);
  }

  /** One that is tried before anybody keeps it. */
  open(settings: ChannelSettings): Channel {
    return openChannel(settings, this.#ways);
  }

  /** Those of `off` are switched off, whatever else is said of them. */
  channels(described: readonly ChannelSettings[], off: ReadonlySet<string> = new Set()): Channel[] {
    const { sandbox } = this.#config;
    const settings = new Map<string, ChannelSettings>();
    for (const each of [...environmentChannels(this.#config), ...described]) {
      settings.delete(each.id);
      settings.set(each.id, off.has(each.id) ? { ...each, enabled: false } : each);
    }
    const opened = new Map<string, Channel>();
    for (const each of settings.values()) {
      const name = JSON.stringify(each);
      opened.set(name, this.#opened.get(name) ?? openChannel(each, this.#ways));
    }
    this.#opened = opened;
    const channels = [...opened.values()];
    const real = channels.some(({ enabled }) => enabled);
    const wanted = sandbox === "on" || (sandbox === "auto" && !real);
    return wanted ? [...channels, this.#sandbox] : channels;
  }
}

/** The channels that the environment and the operator's file describe. */
export function configuredChannels(
  config: ChannelConfig,
  described: readonly ChannelSettings[] = [],
): Channel[] {
  return new ChannelSource(config).channels(described);
}
