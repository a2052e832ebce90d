import type { Catalogue, Model } from "../catalogue/models.ts";
import type { Config, VendorSettings } from "../config.ts";
import { Reach } from "./reach.ts";
import { createSandbox } from "./sandbox/sandbox.ts";
import { VENDORS, type Vendor } from "./vendors.ts";

/** One call to a vendor, as the wire wrote it. */
export interface UpstreamCall {
  /** Behind the vendor's base address, such as `/responses`. */
  readonly path: string;
  readonly body: string;
  readonly stream: boolean;
  readonly requestId: string;
  /** A failure that the embedded vendor is asked to play. No other vendor sees it. */
  readonly sandboxFault: string | undefined;
}

/** A vendor with a credential: somewhere a request can go. */
export interface Channel {
  readonly id: string;
  readonly vendor: string;
  readonly onDisconnect: Vendor["onDisconnect"];
  /** Absent where there is nothing to connect to. */
  readonly reach?: Reach;
  send(call: UpstreamCall, signal: AbortSignal): Promise<Response>;
}

function vendorChannel(vendor: Vendor, settings: VendorSettings, proxied: boolean): Channel {
  const base = settings.baseUrl ?? vendor.baseUrl;
  return {
    id: vendor.id,
    vendor: vendor.id,
    onDisconnect: vendor.onDisconnect,
    ...(proxied ? {} : { reach: new Reach(base) }),
    send: (call, signal) =>
      fetch(base + call.path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${settings.apiKey}`,
          "content-type": "application/json",
          accept: call.stream ? "text/event-stream" : "application/json",
          // Bun inflates but keeps the header; plain bytes leave nothing to contradict.
          "accept-encoding": "identity",
          "user-agent": "faregate",
          "x-client-request-id": call.requestId,
        },
        body: call.body,
        // A redirect would carry the prompt and the credential to another host.
        redirect: "manual",
        // Bun's own idle limit of five minutes; the deadlines are ours.
        timeout: false,
        signal,
      } as BunFetchRequestInit),
  };
}

function sandboxChannel(): Channel {
  const vendor = createSandbox();
  return {
    id: "sandbox",
    vendor: "sandbox",
    onDisconnect: "abort",
    send(call, signal) {
      const headers: Record<string, string> = { "content-type": "application/json" };
      if (call.sandboxFault !== undefined) headers["x-sandbox-fault"] = call.sandboxFault;
      const url = `http://sandbox.invalid/v1${call.path}`;
      return vendor(new Request(url, { method: "POST", headers, body: call.body, signal }));
    },
  };
}

/** The channels that this configuration enables. The sandbox leaves once a real vendor is there. */
export function configuredChannels(config: Config): Channel[] {
  const channels: Channel[] = [];
  for (const vendor of VENDORS) {
    const settings = config.vendor(vendor.keyVariable, vendor.baseUrlVariable);
    if (settings) channels.push(vendorChannel(vendor, settings, config.proxied));
  }
  const wanted = config.sandbox === "on" || (config.sandbox === "auto" && channels.length === 0);
  if (wanted) channels.push(sandboxChannel());
  return channels;
}

export interface Route {
  readonly channel: Channel;
  /** The vendor's name of the model. */
  readonly upstreamModel: string;
}

/** Which models can be called, and where each request goes. */
export class Routes {
  readonly #catalogue: Catalogue;
  readonly #channels: readonly Channel[];

  constructor(catalogue: Catalogue, channels: readonly Channel[]) {
    this.#catalogue = catalogue;
    this.#channels = channels;
  }

  /** The models that have an enabled channel. */
  models(): Model[] {
    return [...this.#catalogue.all()].filter((model) => this.find(model) !== undefined);
  }

  find(model: Model): Route | undefined {
    for (const channel of this.#channels) {
      const upstreamModel = model.upstream[channel.vendor];
      if (upstreamModel !== undefined) return { channel, upstreamModel };
    }
    return undefined;
  }
}
