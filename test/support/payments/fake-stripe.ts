// Stripe as far as the gateway calls it: objects in memory, idempotency keys, and answers that get lost.
import { Stripe } from "stripe";

type Fields = Record<string, string>;
type StripeObject = Record<string, unknown> & { id: string };

/**
 * `lost` does the work and says 500; `down` does nothing and says 500; the others are clear refusals.
 */
type Fault =
  | ("lost" | "down" | "declined" | "refused" | "pending" | "forbidden")
  | ("key in use" | "no customer");

const WEBHOOK_SECRET = "whsec_of_the_tests";
/** One for all of them: it holds nothing, and Stripe's library takes a millisecond to make it. */
const SIGNER = new Stripe("sk_test_signer");

function error(status: number, type: string, message: string, more = {}): Response {
  const headers = { "stripe-should-retry": "false" };
  return Response.json({ error: { type, message, ...more } }, { status, headers });
}

function metadataOf(fields: Fields): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    if (key !== undefined) metadata[key] = value;
  }
  return metadata;
}

export class FakeStripe {
  readonly sessions: StripeObject[] = [];
  readonly intents: StripeObject[] = [];
  readonly refunds: StripeObject[] = [];
  /** Method and path of every call. */
  readonly calls: string[] = [];
  readonly #byKey = new Map<string, StripeObject>();
  readonly #faults = new Map<string, Fault[]>();
  readonly #pauses = new Map<string, () => Promise<unknown>>();
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => this.#answer(request),
  });
  #number = 0;
  /** Which card is saved on a page. */
  card = "pm_card";

  get settings() {
    const port = this.#server.port as number;
    const api = { host: "127.0.0.1", port, protocol: "http" } as const;
    return { secretKey: "sk_test_house", webhookSecret: WEBHOOK_SECRET, api };
  }

  failNext(call: string, ...faults: Fault[]): void {
    this.#faults.set(call, [...(this.#faults.get(call) ?? []), ...faults]);
  }

  /** What happens elsewhere while Stripe takes its time over the next such call. */
  meanwhile(call: string, work: () => Promise<unknown>): void {
    this.#pauses.set(call, work);
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  /** An event as Stripe would send it: the body and the header of its signature. */
  async event(type: string, object: unknown, options: { secret?: string; ageS?: number } = {}) {
    const id = `evt_${++this.#number}`;
    const payload = JSON.stringify({ id, object: "event", type, data: { object } });
    return { body: payload, signature: await this.sign(payload, options) };
  }

  sign(payload: string, { secret = WEBHOOK_SECRET, ageS = 0 } = {}): Promise<string> {
    const timestamp = Math.floor(Date.now() / 1000) - ageS;
    return SIGNER.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
  }

  /** A session as it looks once the payer has paid. */
  paidSession(id: string | null) {
    const session = this.#session(id);
    return { ...session, payment_status: "paid", payment_intent: `pi_of_${session.id}` };
  }

  #session(id: string | null): StripeObject {
    const session = this.sessions.find((candidate) => candidate.id === id);
    if (!session) throw new Error(`no session ${id}`);
    return session;
  }

  /** What the payer does on Stripe's page, or does not do in time. No notice goes out. */
  end(id: string | null, how: "paid" | "expired"): void {
    const ended =
      how === "paid" ? { ...this.paidSession(id), status: "complete" } : { status: how };
    Object.assign(this.#session(id), ended);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const call = `${request.method} ${url.pathname}`;
    const fields = Object.fromEntries(new URLSearchParams(await request.text())) as Fields;
    this.calls.push(call);
    const meanwhile = this.#pauses.get(call);
    this.#pauses.delete(call);
    await meanwhile?.();
    const fault = this.#faults.get(call)?.shift();
    if (fault === "down") return error(500, "api_error", "down");
    if (fault === "declined") return error(402, "card_error", "Your card was declined.");
    if (fault === "refused") return error(400, "invalid_request_error", "Not possible.");
    if (fault === "key in use") return error(409, "invalid_request_error", "Key in use.");
    if (fault === "forbidden") return error(401, "invalid_request_error", "Invalid API key.");
    if (fault === "no customer") {
      const facts = { code: "resource_missing", param: "customer" };
      return error(400, "invalid_request_error", "No such customer.", facts);
    }
    if (request.method === "GET") return this.#read(url);
    const object = this.#once(request.headers.get("idempotency-key"), () =>
      this.#create(url.pathname, fields, fault),
    );
    return fault === "lost" ? error(500, "api_error", "lost") : Response.json(object);
  }

  #once(key: string | null, create: () => StripeObject): StripeObject {
    const known = key === null ? undefined : this.#byKey.get(key);
    const object = known ?? create();
    if (key !== null) this.#byKey.set(key, object);
    return object;
  }

  #create(path: string, fields: Fields, fault: Fault | undefined): StripeObject {
    const number = ++this.#number;
    const metadata = metadataOf(fields);
    if (path === "/v1/checkout/sessions") {
      const session = {
        id: `cs_${number}`,
        object: "checkout.session",
        mode: fields.mode,
        metadata,
        client_reference_id: fields.client_reference_id ?? null,
        amount_total: Number(fields["line_items[0][price_data][unit_amount]"] ?? 0),
        currency: fields["line_items[0][price_data][currency]"] ?? fields.currency,
        customer: fields.customer ?? null,
        payment_status: "unpaid",
        payment_intent: null,
        status: "open",
        setup_intent: fields.mode === "setup" ? `seti_${fields.customer}` : null,
        url: `https://checkout.invalid/${number}`,
      };
      this.sessions.push(session);
      return session;
    }
    if (path === "/v1/payment_intents") {
      const intent = {
        id: `pi_${number}`,
        object: "payment_intent",
        amount: Number(fields.amount),
        amount_received: Number(fields.amount),
        currency: fields.currency,
        customer: fields.customer,
        metadata,
        status: "succeeded",
        created: Math.floor(Date.now() / 1000),
      };
      this.intents.push(intent);
      return intent;
    }
    if (path === "/v1/refunds") {
      const refund = {
        id: `re_${number}`,
        object: "refund",
        amount: Number(fields.amount),
        currency: "usd",
        payment_intent: fields.payment_intent,
        metadata,
        status: fault === "pending" ? "pending" : "succeeded",
      };
      this.refunds.push(refund);
      return refund;
    }
    return { id: `cus_${number}`, object: "customer", metadata };
  }

  #listed(pathname: string): readonly StripeObject[] {
    if (pathname === "/v1/checkout/sessions") return this.sessions;
    return pathname === "/v1/refunds" ? this.refunds : this.intents;
  }

  #read({ pathname, searchParams }: URL): Response {
    const setup = /^\/v1\/setup_intents\/(seti_(.+))$/.exec(pathname);
    if (setup) {
      return Response.json({
        id: setup[1],
        object: "setup_intent",
        status: "succeeded",
        customer: setup[2],
        payment_method: this.card,
      });
    }
    const checkout = /^\/v1\/checkout\/sessions\/(.+)$/.exec(pathname);
    if (checkout) {
      const session = this.sessions.find(({ id }) => id === checkout[1]);
      return session
        ? Response.json(session)
        : error(404, "invalid_request_error", "No such checkout.session.");
    }
    // The latest first.
    const data = this.#listed(pathname)
      .toReversed()
      .filter((object) =>
        ["payment_intent", "customer"].every((name) => {
          const wanted = searchParams.get(name);
          return wanted === null || object[name] === wanted;
        }),
      );
    return Response.json({ object: "list", data, has_more: false, url: pathname });
  }
}
