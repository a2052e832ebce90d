import { beforeEach, describe, expect, test } from "bun:test";
import { drops } from "../../../test/support/clients/slow-bodies.ts";
import { Parts, perTest } from "../../../test/support/houses/house.ts";
import { type Caller, OF_OUR_PAGES, openGuards } from "../../../test/support/houses/open-guards.ts";
import { listen } from "../../../test/support/listening.ts";
import { EPAY, paymentsHouse, USD } from "../../../test/support/payments/house.ts";
import type { Role } from "../../accounts/guards.ts";
import { StorageError } from "../../lib/faults.ts";
import { signFields } from "../providers/epay.ts";
import { paymentRoutes } from "./routes.ts";

/** Who calls; the real guards find that out from a cookie or a token. */
const caller: Caller = { roles: {} };
const become = (role: Role) => {
  caller.roles = { acct_a: role, acct_b: role };
};

const house = perTest(paymentsHouse);
function serve(parts: Parts, formMs = 60_000) {
  const { payments, audit, audited } = house;
  const services = {
    ...{ payments, audit },
    lowBalance: async () => 5n * USD,
    displayCurrency: () => ({ code: "CNY", rate: "7.25" }),
    accountName: async (id: string) => `name of ${id}`,
    limits: { form_ms: formMs },
  };
  return { audited, url: listen(parts, paymentRoutes(services, openGuards(caller))) };
}
const gate = perTest((parts) => serve(parts));
beforeEach(() => {
  caller.operator = false;
  become("owner");
});

const fetchRoute = (method: string, path: string, init: RequestInit = {}) =>
  fetch(`${gate.url}${path}`, { ...init, method });

async function call(method: string, path: string, body?: unknown, headers = {}) {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const all = { ...OF_OUR_PAGES, ...headers };
  const response = await fetchRoute(method, path, { ...init, headers: all });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

const MINE = "/api/accounts/acct_a";

/** The id of the order. */
async function payByCard(amount: string): Promise<string> {
  const { body } = await call("POST", `${MINE}/orders`, { provider: "stripe", amount });
  house.stripe.end((await house.store.orders.find(body.id))?.reference ?? null, "paid");
  await call("GET", `${MINE}/orders/${body.id}`);
  return body.id;
}

function loseNextAuditLine() {
  house.lost.audit = 1;
}

/** The next refund is set aside, and whoever asked for that does not hear of it. */
function loseAnswerOfReserve() {
  const { refunds } = house.store;
  const reserve = refunds.reserve.bind(refunds);
  refunds.reserve = async (...asked) => {
    refunds.reserve = reserve;
    await reserve(...asked);
    throw new StorageError("lost after");
  };
}

describe("the wallet", () => {
  test("shows money as decimals, and how it can be topped up", async () => {
    const order = await call("POST", `${MINE}/orders`, { provider: "test", amount: "12.5" });
    expect(order).toMatchObject({
      status: 201,
      body: { status: "created", test: true, amount: "12.5", checkout_url: null },
    });
    const paid = await call("POST", `${MINE}/orders/${order.body.id}/test-pay`, {});
    expect(paid.body).toMatchObject({ status: "paid", amount: "12.5" });
    expect((await call("GET", `${MINE}/wallet`)).body).toEqual({
      balance: "12.5",
      held: "0.0",
      credited: "12.5",
      charged: "0.0",
      test_credit: "12.5",
      refundable: "0.0",
      providers: ["stripe", "epay", "test", "code"],
      auto_topup: null,
      low_balance: { threshold: "5.0" },
      display_currency: { code: "CNY", rate: "7.25" },
    });
    expect(gate.audited.map(({ action }) => action)).toEqual(["order.create", "order.test_pay"]);
  });

  test("asks Stripe after an order that is looked at and of which nothing was heard", async () => {
    const { body } = await call("POST", `${MINE}/orders`, { provider: "stripe", amount: "4" });
    house.stripe.end((await house.store.orders.find(body.id))?.reference ?? null, "paid");
    const shown = await call("GET", `${MINE}/orders/${body.id}`);
    expect(shown.body).toMatchObject({ id: body.id, status: "paid", checkout_url: null });
    expect((await call("GET", `${MINE}/wallet`)).body).toMatchObject({ balance: "4.0" });
  });

  test("lists orders page by page", async () => {
    for (const amount of ["1", "2", "3"]) {
      await call("POST", `${MINE}/orders`, { provider: "stripe", amount });
    }
    const first = (await call("GET", `${MINE}/orders?limit=2`)).body;
    expect(first.data).toHaveLength(2);
    const rest = (await call("GET", `${MINE}/orders?limit=2&after=${first.next}`)).body;
    expect([rest.data.length, rest.next]).toEqual([1, null]);
    const id = rest.data[0].id;
    expect((await call("GET", `${MINE}/orders/${id}`)).body).toEqual(rest.data[0]);
    expect((await call("GET", `/api/accounts/acct_b/orders/${id}`)).status).toBe(404);
  });

  test.each([
    ["provider", { provider: "barter", amount: "5" }],
    ["amount", { provider: "stripe", amount: 5 }],
    ["amount", { provider: "stripe", amount: "0.5" }],
    ["amount", { provider: "stripe" }],
    ["method", { provider: "epay", amount: "5", method: "cheque" }],
  ])("says at %s what is wrong with an order", async (param, body) => {
    const answer = await call("POST", `${MINE}/orders`, body);
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
    expect(gate.audited).toEqual([]);
  });

  test("lets viewers look and only owners move money", async () => {
    for (const role of ["viewer", "member"] as const) {
      become(role);
      for (const path of ["wallet", "orders", "refunds"]) {
        expect((await call("GET", `${MINE}/${path}`)).status).toBe(200);
      }
      const moves: [string, string][] = [
        ["POST", "orders"],
        ["POST", "orders/ord_x/test-pay"],
        ["POST", "codes/redeem"],
        ["POST", "refunds"],
        ["PUT", "auto-topup"],
      ];
      for (const [method, path] of moves) {
        expect((await call(method, `${MINE}/${path}`, {})).status).toBe(403);
      }
    }
  });

  test("switches automatic top-up on by way of a card", async () => {
    const form = { enabled: true, threshold: "5", amount: "20" };
    const answer = await call("PUT", `${MINE}/auto-topup`, form);
    expect(answer.body).toMatchObject({
      enabled: false,
      waiting_for_card: true,
      daily_max: "100.0",
      checkout_url: expect.stringContaining("https://checkout.invalid/"),
    });
    expect(
      (await call("PUT", `${MINE}/auto-topup`, { ...form, enabled: "yes" })).body.error,
    ).toEqual(expect.objectContaining({ param: "enabled" }));
  });

  test("leaves what a change of automatic top-up does not say as it is", async () => {
    const path = `${MINE}/auto-topup`;
    const first = { enabled: false, threshold: "5", amount: "20", daily_max: "40" };
    expect((await call("PUT", path, { enabled: true })).body.error.param).toBe("threshold");
    await call("PUT", path, first);
    const { body } = await call("PUT", path, { threshold: "7" });
    expect(body).toMatchObject({ enabled: false, threshold: "7.0", daily_max: "40.0" });
    expect(gate.audited.at(-1)).toMatchObject({ action: "auto_topup.change" });
    expect((await call("PUT", path, { daily_max: null })).body.daily_max).toBe("100.0");
  });

  test("sends a card payment back, and lists what went", async () => {
    const orderId = await payByCard("4");
    const asked = await call("POST", `${MINE}/refunds`, { amount: "1.5" });
    expect(asked).toMatchObject({ status: 201, body: { object: "list", next: null } });
    expect(asked.body.data).toMatchObject([{ order_id: orderId, amount: "1.5", status: "done" }]);
    expect((await call("GET", `${MINE}/refunds`)).body).toEqual(asked.body);
    expect(gate.audited.at(-1)).toMatchObject({ action: "refund.create" });
    const again = () =>
      call("POST", `${MINE}/refunds`, { amount: "1" }, { "idempotency-key": "k" });
    expect((await again()).body).toEqual((await again()).body);
    expect(house.stripe.refunds).toHaveLength(2);
    expect(gate.audited.at(-1)).toMatchObject({ detail: { amount: "1.0", replayed: true } });
  });

  test("has a refund in the audit log before Stripe is asked, once", async () => {
    await payByCard("4");
    const lines = () => house.audited.filter(({ action }) => action === "refund.create");
    let before = 0;
    house.stripe.meanwhile("POST /v1/refunds", async () => {
      before = lines().length;
    });
    await call("POST", `${MINE}/refunds`, { amount: "1.5" });
    expect(before).toBe(1);
    expect(lines()).toMatchObject([{ accountId: "acct_a", detail: { amount: "1.5" } }]);
  });

  test.each([
    ["the audit log was away", loseNextAuditLine],
    ["the answer to its row was lost", loseAnswerOfReserve],
  ])("names who asked for a refund though %s, before Stripe is asked", async (_why, loses) => {
    await payByCard("4");
    const lines = () => house.audited.filter(({ action }) => action === "refund.create");
    let before = 0;
    house.stripe.meanwhile("POST /v1/refunds", async () => {
      before = lines().length;
    });
    loses();
    const failed = await call("POST", `${MINE}/refunds`, { amount: "1.5" });
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(house.stripe.refunds).toEqual([]);
    await (await house.second()).reconcile();
    await house.payments.reconcile();
    expect(house.stripe.refunds).toHaveLength(1);
    expect(before).toBe(1);
    const [made] = await house.payments.refunds.list("acct_a");
    const principal = { userId: "user_1", name: "ann@example.org" };
    const line = { accountId: "acct_a", target: made?.id, detail: { amount: "1.5" } };
    expect(lines()).toMatchObject([{ ...line, principal }]);
  });

  test("says when there is nothing to refund", async () => {
    const answer = await call("POST", `${MINE}/refunds`, {});
    expect([answer.status, answer.body.error.param]).toEqual([400, "amount"]);
  });
});

describe("the operator", () => {
  beforeEach(() => {
    caller.operator = true;
  });

  test("credits an account, once for one idempotency key", async () => {
    const path = "/api/operator/accounts/acct_a/credit";
    const body = { amount: "2.5", note: "sorry" };
    const first = await call("POST", path, body, { "idempotency-key": "one" });
    const again = await call("POST", path, body, { "idempotency-key": "one" });
    expect([first.body.balance, again.body.balance]).toEqual(["2.5", "2.5"]);
    expect([first.body.replayed, again.body.replayed]).toEqual([false, true]);
    expect(gate.audited.at(-1)?.detail).toMatchObject({ replayed: true });
    expect((await call("POST", path, body)).body.balance).toBe("5.0");
    expect(gate.audited.at(-1)).toMatchObject({
      action: "account.credit",
      accountId: "acct_a",
      detail: { amount: "2.5", note: "sorry" },
    });
  });

  test("takes back what was paid by hand, once for one idempotency key", async () => {
    await call("POST", "/api/operator/accounts/acct_a/credit", { amount: "20" });
    const path = "/api/operator/accounts/acct_a/refund";
    const body = { amount: "7.5", note: "Bank transfer 4711" };
    const first = await call("POST", path, body, { "idempotency-key": "k-1" });
    expect(first).toMatchObject({ status: 200, body: { amount: "7.5", replayed: false } });
    expect(first.body).toMatchObject({ balance: "12.5", credited: "12.5" });
    const second = await call("POST", path, body, { "idempotency-key": "k-1" });
    expect(second.body).toMatchObject({ id: first.body.id, balance: "12.5", replayed: true });
    expect(gate.audited.at(1)).toMatchObject({
      action: "account.refund",
      target: first.body.id,
      detail: { amount: "7.5", note: "Bank transfer 4711" },
    });
    // A credit under the same key is another thing.
    const credit = "/api/operator/accounts/acct_a/credit";
    const credited = await call("POST", credit, { amount: "1" }, { "idempotency-key": "k-1" });
    expect(credited.body).toMatchObject({ replayed: false, balance: "13.5" });
  });

  test.each([
    ["credit", "topup"],
    ["refund", "refund"],
  ] as const)("has a %s by hand in the audit log though its answer is lost", async (what, kind) => {
    await call("POST", "/api/operator/accounts/acct_a/credit", { amount: "20" });
    const path = `/api/operator/accounts/acct_a/${what}`;
    const send = () => call("POST", path, { amount: "2.5" }, { "idempotency-key": "k" });
    house.ledger.failNext("after");
    expect((await send()).status).toBeGreaterThanOrEqual(500);
    const entry = house.ledger.entries.at(-1);
    expect(entry?.kind).toBe(kind);
    const lines = () => house.audited.filter(({ target }) => target === entry?.id);
    const line = { accountId: "acct_a", action: `account.${what}` };
    expect(lines()).toMatchObject([{ ...line, detail: { amount: "2.5" } }]);
    expect((await send()).body).toMatchObject({ id: entry?.id, replayed: true });
    expect(lines().map(({ detail }) => detail?.replayed)).toEqual([undefined, true]);
  });

  test.each(["credit", "refund"])(
    "has the %s by hand that was made, though another of its key has failed",
    async (what) => {
      await call("POST", "/api/operator/accounts/acct_a/credit", { amount: "50" });
      const path = `/api/operator/accounts/acct_a/${what}`;
      const send = (body: object) => call("POST", path, body, { "idempotency-key": "invoice-17" });
      const typo = { amount: "40", note: "typo" };
      const meant = { amount: "20", note: "invoice 17" };
      for (const body of [typo, typo, meant]) {
        house.ledger.failNext("before");
        expect((await send(body)).status).toBeGreaterThanOrEqual(500);
      }
      const { body } = await send(meant);
      expect(body).toMatchObject({ amount: "20.0", replayed: false });
      // Each of them once, however often it was tried.
      const lines = house.audited.filter(({ target }) => target === body.id);
      expect(lines.map(({ detail }) => detail)).toEqual([
        { amount: "40.0", note: "typo" },
        { amount: "20.0", note: "invoice 17" },
      ]);
    },
  );

  test.each(["credit", "refund"])(
    "moves no money by a %s that the audit log cannot take",
    async (what) => {
      await call("POST", "/api/operator/accounts/acct_a/credit", { amount: "20" });
      const path = `/api/operator/accounts/acct_a/${what}`;
      house.lost.audit = 1;
      expect((await call("POST", path, { amount: "2.5" })).status).toBeGreaterThanOrEqual(500);
      expect(house.ledger.left("acct_a")).toBe(20n * USD);
    },
  );

  test("has nothing in the audit log of a refund by hand that is refused", async () => {
    await call("POST", "/api/operator/accounts/acct_a/credit", { amount: "5" });
    const path = "/api/operator/accounts/acct_a/refund";
    expect((await call("POST", path, { amount: "6" })).status).toBe(400);
    expect(house.audited.map(({ action }) => action)).toEqual(["account.credit"]);
  });

  test("takes back neither what is not there nor play money", async () => {
    const path = "/api/operator/accounts/acct_a/refund";
    await call("POST", "/api/operator/accounts/acct_a/credit", { amount: "5" });
    const order = await call("POST", `${MINE}/orders`, { provider: "test", amount: "10" });
    await call("POST", `${MINE}/orders/${order.body.id}/test-pay`, {});
    const refused = await call("POST", path, { amount: "5.01" });
    expect(refused).toMatchObject({ status: 400, body: { error: { param: "amount" } } });
    expect(refused.body.error.message).toContain("5.00");
    expect((await call("POST", path, { amount: "5" })).status).toBe(200);
    // What requests hold is of the play money, as long as there is any.
    await call("POST", "/api/operator/accounts/acct_a/credit", { amount: "5" });
    house.ledger.hold("acct_a", 4n * USD);
    expect((await call("POST", path, { amount: "5" })).status).toBe(200);
    const empty = await call("POST", path, { amount: "0.01" });
    expect(empty.body.error.message).toContain("Nothing");
    expect((await call("GET", `${MINE}/wallet`)).body).toMatchObject({ balance: "10.0" });
    expect(
      (await call("POST", "/api/operator/accounts/acct_x/refund", { amount: "1" })).status,
    ).toBe(404);
  });

  test("takes back no play money, though a request is settled between any two looks at the balance", async () => {
    const path = "/api/operator/accounts/acct_a/refund";
    await call("POST", "/api/operator/accounts/acct_a/credit", { amount: "5" });
    const order = await call("POST", `${MINE}/orders`, { provider: "test", amount: "10" });
    await call("POST", `${MINE}/orders/${order.body.id}/test-pay`, {});
    house.ledger.hold("acct_a", 4n * USD);
    house.ledger.settleAfterLooks(USD);
    expect((await call("POST", path, { amount: "6" })).status).toBe(400);
    expect((await call("POST", path, { amount: "5" })).status).toBe(200);
  });

  test.each(["0", "-1", "1000001", "many"])("credits no amount of %p", async (amount) => {
    const answer = await call("POST", "/api/operator/accounts/acct_a/credit", { amount });
    expect([answer.status, answer.body.error.param]).toEqual([400, "amount"]);
    expect(house.ledger.entries).toEqual([]);
  });

  test("gets 404 for an account that is not there", async () => {
    const answer = await call("POST", "/api/operator/accounts/acct_x/credit", { amount: "1" });
    expect(answer.status).toBe(404);
  });

  test("makes codes that are shown once, and a list of what became of them", async () => {
    const batches = "/api/operator/codes/batches";
    const made = await call("POST", batches, { count: 3, amount: "5", note: "fair" });
    expect(made.body).toMatchObject({ count: 3, redeemed: 0, outstanding: "15.0" });
    expect(made.body.codes).toHaveLength(3);
    expect(JSON.stringify(gate.audited)).not.toContain(made.body.codes[0]);
    const redeemed = await call("POST", `${MINE}/codes/redeem`, { code: made.body.codes[0] });
    expect(redeemed.body).toMatchObject({ amount: "5.0" });
    const listed = (await call("GET", batches)).body.data[0];
    expect(listed).toMatchObject({ id: made.body.id, redeemed: 1, outstanding: "10.0" });
    expect(listed.codes).toBeUndefined();
    const all = (await call("GET", `${batches}/${made.body.id}.csv`)).body as string;
    expect(all.trim().split("\r\n")).toHaveLength(4);
    expect(all).toContain("acct_a");
    const unused = (await call("GET", `${batches}/${made.body.id}.csv?unused`)).body as string;
    expect(unused.trim().split("\r\n")).toHaveLength(3);
    for (const code of made.body.codes) expect(all).not.toContain(code);
  });

  test("sees who redeemed codes, and revokes those that nobody has", async () => {
    const batches = "/api/operator/codes/batches";
    const { id, codes } = (await call("POST", batches, { count: 3, amount: "5" })).body;
    await call("POST", `${MINE}/codes/redeem`, { code: codes[0] });
    const list = async (query = "") => (await call("GET", `${batches}/${id}/codes${query}`)).body;
    const [redeemed] = (await list("?state=redeemed")).data;
    expect(redeemed).toMatchObject({
      state: "redeemed",
      last_four: codes[0].slice(-4),
      redeemed_by: {
        ...{ account_id: "acct_a", account_name: "name of acct_a", person: "ann@example.org" },
      },
    });
    expect((await call("GET", `${batches}/${id}/codes?state=lost`)).body.error.param).toBe("state");
    const [unused] = (await list("?state=unused")).data;
    const one = await call("POST", `${batches}/${id}/revoke`, { code: unused.id });
    expect(one.body).toMatchObject({ revoked_now: 1, revoked: 1, outstanding: "5.0" });
    const all = await call("POST", `${batches}/${id}/revoke`, {});
    expect(all.body).toMatchObject({ revoked_now: 1, revoked: 2, redeemed: 1, outstanding: "0.0" });
    expect(gate.audited.filter(({ action }) => action === "codes.revoke")).toMatchObject([
      { target: unused.id, detail: { batch: id, count: 1 } },
      { target: id, detail: { batch: id, count: 1 } },
    ]);
    const states = (await list()).data.map(({ state }: { state: string }) => state);
    expect(states.toSorted()).toEqual(["redeemed", "revoked", "revoked"]);
    const refused = await call("POST", `${MINE}/codes/redeem`, { code: codes[1] });
    expect(refused.body.error).toMatchObject({ param: "code" });
    caller.operator = false;
    expect((await call("POST", `${batches}/${id}/revoke`, {})).status).toBe(404);
    expect((await call("GET", `${batches}/${id}/codes`)).status).toBe(404);
  });

  test("may have new codes as a file", async () => {
    const body = { count: 2, amount: "5", expires_at: "2099-01-01T00:00:00Z" };
    const headers = { accept: "text/csv" };
    const file = (await call("POST", "/api/operator/codes/batches", body, headers)).body as string;
    const [head, first] = file.split("\r\n");
    expect(head).toBe("code,amount_usd,expires_at");
    expect(first).toMatch(/^FG(-\w{5}){4},5\.0,2099-01-01T00:00:00\.000Z$/);
  });

  test.each([
    ["count", { count: 0, amount: "5" }],
    ["count", { count: 10_001, amount: "5" }],
    ["amount", { count: 1, amount: "0" }],
    ["expires_at", { count: 1, amount: "5", expires_at: "tomorrow" }],
    ["expires_at", { count: 1, amount: "5", expires_at: "2001-01-01T00:00:00Z" }],
  ])("hears at %s what is wrong with a batch", async (param, body) => {
    const answer = await call("POST", "/api/operator/codes/batches", body);
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  });

  test("is asked for: nobody else credits or makes codes", async () => {
    caller.operator = false;
    const body = { amount: "1" };
    expect((await call("POST", "/api/operator/accounts/acct_a/credit", body)).status).toBe(404);
    expect((await call("POST", "/api/operator/accounts/acct_a/refund", body)).status).toBe(404);
    expect((await call("POST", "/api/operator/codes/batches", body)).status).toBe(404);
  });
});

describe("the doors of the providers", () => {
  test("take Stripe's notices by their signature alone", async () => {
    const order = await house.payments.orders.create("acct_a", { provider: "stripe", amount: "5" });
    const session = house.stripe.paidSession(order.reference);
    const { body, signature } = await house.stripe.event("checkout.session.completed", session);
    const send = (header: Record<string, string>) =>
      fetchRoute("POST", "/api/payments/stripe/webhook", { body, headers: header });
    expect((await send({})).status).toBe(400);
    expect((await send({ "stripe-signature": "t=1,v1=00" })).status).toBe(400);
    expect(house.ledger.left("acct_a")).toBe(0n);
    const taken = await send({ "stripe-signature": signature });
    expect(await taken.json()).toEqual({ received: true, outcome: "credited" });
    expect(house.ledger.left("acct_a")).toBe(5n * USD);
  });

  test.each(["GET", "POST"])(
    "take Epay's notices by %s and answer in its words",
    async (method) => {
      const order = await house.payments.orders.create("acct_a", {
        provider: "epay",
        amount: "10",
      });
      const fields = {
        ...{ pid: EPAY.pid, trade_no: `t${order.id}`, out_trade_no: order.id, type: "alipay" },
        ...{ name: "n", money: "72.50", trade_status: "TRADE_SUCCESS" },
      };
      const send = async (sign: string) => {
        const query = new URLSearchParams({ ...fields, sign, sign_type: "MD5" });
        const path = "/api/payments/epay/notify";
        const response =
          method === "GET"
            ? await fetchRoute("GET", `${path}?${query}`)
            : await fetchRoute("POST", path, { body: query });
        return [response.status, await response.text()];
      };
      expect(await send("0".repeat(32))).toEqual([400, "fail"]);
      expect(house.ledger.left("acct_a")).toBe(0n);
      const sign = signFields(fields, EPAY.key);
      expect(await send(sign)).toEqual([200, "success"]);
      expect(await send(sign)).toEqual([200, "success"]);
      expect(house.ledger.left("acct_a")).toBe(10n * USD);
    },
  );

  test("let no notice in that is larger than any can be", async () => {
    const body = "x".repeat(600_000);
    const answer = await fetchRoute("POST", "/api/payments/stripe/webhook", { body });
    expect(answer.status).toBe(413);
  });

  test.each(["stripe/webhook", "epay/notify"])(
    "wait for no notice longer than a form takes: %s",
    async (path) => {
      await using parts = new Parts();
      const { url } = serve(parts, 200);
      const slow = { method: "POST", body: drops() };
      expect((await fetch(`${url}/api/payments/${path}`, slow)).status).toBe(408);
    },
  );
});
