import { createHmac } from "node:crypto";
import { lookup as systemLookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { Clock } from "../lib/clock.ts";
import { readWebhookUrl, safeLookup } from "./webhook-address.ts";

/** `t` is in it so that a call that was overheard cannot be played again for ever. */
function signature(secret: string, body: string, atSeconds: number): string {
  const sum = createHmac("sha256", secret).update(`${atSeconds}.${body}`).digest("hex");
  return `t=${atSeconds},v1=${sum}`;
}

interface WebhookOptions {
  readonly timeoutMs: number;
  /** Whether this machine itself may be called, and without encryption. */
  readonly loopback: boolean;
  readonly lookup?: LookupFunction;
}

interface WebhookCall {
  readonly url: string;
  readonly secret: string;
  readonly id: string;
  readonly body: string;
}

/** Calls the addresses that accounts have chosen. */
export class Webhooks {
  readonly #options: WebhookOptions;
  readonly #clock: Clock;
  readonly #lookup: LookupFunction;

  constructor(options: WebhookOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#lookup = safeLookup(options.lookup ?? systemLookup, options.loopback);
  }

  /** Throws, with words for the account's owner, where the address is none that we call. */
  check(url: string): void {
    readWebhookUrl(url, this.#options.loopback);
  }

  /** Resolves once the receiver has taken it, and throws when it has not. */
  async call({ url, secret, id, body }: WebhookCall): Promise<void> {
    const { timeoutMs, loopback } = this.#options;
    const target = readWebhookUrl(url, loopback);
    const status = await this.#post(target, body, timeoutMs, {
      "content-type": "application/json",
      "user-agent": "Faregate-Webhooks",
      "x-faregate-event-id": id,
      "x-faregate-signature": signature(secret, body, Math.floor(this.#clock() / 1_000)),
    });
    if (status >= 300 && status < 400) {
      throw new Error(`the receiver answered ${status}; redirects are not followed`);
    }
    if (status < 200 || status >= 300) throw new Error(`the receiver answered ${status}`);
  }

  /** Only the status is of interest, so no receiver can make us read for long. */
  #post(
    target: URL,
    body: string,
    timeoutMs: number,
    headers: Readonly<Record<string, string>>,
  ): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const open = target.protocol === "https:" ? requestHttps : requestHttp;
    const length = String(Buffer.byteLength(body));
    const request = open(target, {
      method: "POST",
      headers: { ...headers, "content-length": length },
      lookup: this.#lookup,
      // A connection that is kept could lead elsewhere than the name does now.
      agent: false,
    });
    const timer = setTimeout(() => {
      reject(new Error(`the receiver took longer than ${timeoutMs} ms`));
      request.destroy();
    }, timeoutMs);
    request.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.on("error", reject);
    // One that speaks another protocol (101) is closed without an answer and without an error.
    request.on("close", () => reject(new Error("the receiver hung up")));
    request.end(body);
    return promise.finally(() => clearTimeout(timer));
  }
}
