import { createHash, timingSafeEqual } from "node:crypto";
import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import { Fault } from "../../lib/faults.ts";
import { convert, formatMinor, isRate, parseMinor } from "../amounts.ts";
import type { Order } from "../order.ts";
import type { Checkout, Provider, Quote } from "./provider.ts";
import type { ReturnUrls } from "./stripe.ts";

/** Ways to pay behind an Epay service, by the names of its interface. */
const METHODS = ["alipay", "wxpay"] as const;

export interface EpaySettings {
  /** Where the service is; its `submit.php` stands below. */
  readonly url: string;
  readonly pid: string;
  readonly key: string;
}

/** How many units of the payer's currency a dollar costs; undefined while the operator set none. */
export type CnyRate = () => Promise<string | undefined>;

interface EpayNotice {
  readonly orderId: string;
  readonly payment: string;
  readonly minor: bigint | undefined;
  readonly success: boolean;
  readonly signature: string;
}

type Fields = Readonly<Record<string, string>>;

/**
 * The interface's signature: fields that have a value, by name, joined like a query but not escaped,
 * and the key right behind them.
 */
export function signFields(fields: Fields, key: string): string {
  const text = Object.keys(fields)
    .filter((name) => name !== "sign" && name !== "sign_type" && fields[name] !== "")
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join("&");
  return createHash("md5")
    .update(text + key)
    .digest("hex");
}

/** Bytes are counted, not letters: anybody may send a signature of letters that have several. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A service that takes Alipay and WeChat Pay by the Epay interface. */
export class EpayGate implements Provider {
  readonly name = "epay";
  readonly #settings: EpaySettings;
  readonly #rate: CnyRate;
  readonly #urls: ReturnUrls;
  readonly #notifyUrl: string;

  constructor(settings: EpaySettings, rate: CnyRate, urls: ReturnUrls, notifyUrl: string) {
    this.#settings = settings;
    this.#rate = rate;
    this.#urls = urls;
    this.#notifyUrl = notifyUrl;
  }

  async #rateNow(): Promise<string | undefined> {
    const rate = await this.#rate();
    return rate !== undefined && isRate(rate) ? rate : undefined;
  }

  async available(): Promise<boolean> {
    return (await this.#rateNow()) !== undefined;
  }

  async quote(amount: NanoUsd, method = METHODS[0] as string): Promise<Quote> {
    if (!METHODS.some((name) => name === method)) {
      const message = `The method must be one of ${METHODS.join(", ")}.`;
      throw new Fault("invalid_value", message, { param: "method" });
    }
    const rate = await this.#rateNow();
    if (rate === undefined) {
      throw new Fault("invalid_value", "No exchange rate is set.", { param: "provider" });
    }
    return { currency: "cny", minor: convert(amount, rate) };
  }

  async begin(order: Order): Promise<Checkout> {
    const fields = {
      pid: this.#settings.pid,
      type: order.method ?? METHODS[0],
      out_trade_no: order.id,
      notify_url: this.#notifyUrl,
      return_url: this.#urls.order(order.id, "paid"),
      name: `Prepaid credit ${formatUsd(order.amount)} USD`,
      money: formatMinor(order.minor),
    };
    const sign = signFields(fields, this.#settings.key);
    const query = new URLSearchParams({ ...fields, sign, sign_type: "MD5" });
    return { reference: order.id, url: `${this.#settings.url}/submit.php?${query}` };
  }

  /** What a notice says; undefined when it is not signed by the service, or not meant for us. */
  readNotice(params: URLSearchParams): EpayNotice | undefined {
    const fields = Object.fromEntries(params);
    // A name that stands there twice could be signed as one value and read as the other.
    if (Object.keys(fields).length !== [...params.keys()].length) return undefined;
    const { pid, sign = "", out_trade_no: orderId, trade_no: payment, money = "" } = fields;
    if (!isEqual(sign.toLowerCase(), signFields(fields, this.#settings.key))) return undefined;
    if (pid !== this.#settings.pid || !orderId || !payment) return undefined;
    return {
      orderId,
      payment,
      minor: parseMinor(money),
      success: fields.trade_status === "TRADE_SUCCESS",
      signature: sign.toLowerCase(),
    };
  }
}
