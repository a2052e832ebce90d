import { describe, expect, test } from "bun:test";
import { failureOf } from "../../../test/store/samples.ts";
import { faultOf } from "../../../test/support/errors.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { EPAY, paymentsHouse, USD } from "../../../test/support/payments/house.ts";
import type { Order } from "../order.ts";
import { signFields } from "./epay.ts";

const house = perTest(paymentsHouse);

const order = (amount = "10", method?: string): Promise<Order> =>
  house.payments.orders.create("acct_a", { provider: "epay", amount, method });

function notice(of: Order, changes: Record<string, string> = {}, key = EPAY.key): URLSearchParams {
  const fields = {
    pid: EPAY.pid,
    trade_no: "2026080615134334",
    out_trade_no: of.id,
    type: "alipay",
    name: "Prepaid credit 10.0 USD",
    money: "72.50",
    trade_status: "TRADE_SUCCESS",
    ...changes,
  };
  return new URLSearchParams({ ...fields, sign: signFields(fields, key), sign_type: "MD5" });
}

const deliver = (params: URLSearchParams) => house.payments.notices.epay(params);

describe("an order by Epay", () => {
  test("leads to a signed address, in yuan at the operator's rate", async () => {
    const made = await order("10", "wxpay");
    expect(made).toMatchObject({ currency: "cny", minor: 7250n, method: "wxpay" });
    const url = new URL(made.checkoutUrl ?? "");
    expect(`${url.origin}${url.pathname}`).toBe("https://epay.invalid/submit.php");
    const fields = Object.fromEntries(url.searchParams);
    expect(fields).toMatchObject({
      pid: "1001",
      type: "wxpay",
      out_trade_no: made.id,
      money: "72.50",
      notify_url: "https://gate.invalid/api/payments/epay/notify",
      sign_type: "MD5",
    });
    expect(fields.return_url).toStartWith("https://gate.invalid/console/wallet?order=");
    expect(fields.sign).toBe(signFields(fields, EPAY.key));
  });

  test("rounds up to the fen, and keeps the rate of its time", async () => {
    house.settings.rate = "7.123457";
    const made = await order("1.01");
    expect(made.minor).toBe(720n);
    house.settings.rate = "9";
    expect(await deliver(notice(made, { money: "7.2" }))).toBe("credited");
    expect(house.ledger.left("acct_a")).toBe((101n * USD) / 100n);
  });

  test("is not offered without a rate", async () => {
    for (const rate of [undefined, "0", "0.00", "-7", "7,2", "seven"]) {
      house.settings.rate = rate;
      expect(await house.payments.providers()).toEqual(["stripe", "test", "code"]);
      expect(await faultOf(order())).toMatchObject({ status: 400, param: "provider" });
    }
  });

  test("of an unknown method is refused at the field", async () => {
    expect(await faultOf(order("10", "barter"))).toMatchObject({ status: 400, param: "method" });
  });
});

describe("a notice by Epay", () => {
  test("credits the order in dollars, once, and is answered alike when it comes again", async () => {
    const made = await order();
    const params = notice(made);
    const { epay } = house.payments.notices;
    const take = epay.bind(house.payments.notices);
    expect(await take(params)).toBe("credited");
    expect(await take(params)).toBe("already");
    expect(await Promise.all([take(params), take(params)])).toEqual(["already", "already"]);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
    expect(await house.payments.orders.find("acct_a", made.id)).toMatchObject({
      status: "paid",
      payment: "2026080615134334",
    });
  });

  test("of a payment that is not complete credits nothing", async () => {
    const made = await order();
    expect(await deliver(notice(made, { trade_status: "WAIT_BUYER_PAY" }))).toBe("noted");
    expect(house.ledger.entries).toEqual([]);
  });

  const wrong: [string, (made: Order) => URLSearchParams | Promise<URLSearchParams>][] = [
    ["another key's signature", (made) => notice(made, {}, "another key")],
    ["a smaller amount", (made) => notice(made, { money: "0.01" })],
    ["a larger amount", (made) => notice(made, { money: "725.00" })],
    ["no amount", (made) => notice(made, { money: "" })],
    ["an amount that is none", (made) => notice(made, { money: "72.5e0" })],
    ["another merchant", (made) => notice(made, { pid: "1002" })],
    ["no payment", (made) => notice(made, { trade_no: "" })],
    ["an unknown order", (made) => notice(made, { out_trade_no: `${made.id}x` })],
    [
      "another order's id under its signature",
      async (made) => {
        const params = notice(made);
        params.set("out_trade_no", (await order("10")).id);
        return params;
      },
    ],
    [
      "a name that stands there twice",
      (made) => {
        const params = notice(made);
        params.append("money", "72.50");
        return params;
      },
    ],
    [
      "an order of another provider",
      async () => {
        const amount = "10";
        const other = await house.payments.orders.create("acct_a", { provider: "stripe", amount });
        return notice(other, { money: "10.00" });
      },
    ],
    [
      "a signature of letters that have several bytes",
      (made) => {
        const params = notice(made);
        params.set("sign", "é".repeat(32));
        return params;
      },
    ],
    ["nothing at all", () => new URLSearchParams()],
  ];

  test.each(wrong)("with %s is refused, logged, and credits nothing", async (_what, make) => {
    const made = await order();
    expect((await faultOf(deliver(await make(made)))).status).toBe(400);
    expect(house.logged("payment_notice_refused")).toHaveLength(1);
    expect(house.ledger.entries).toEqual([]);
    expect((await house.store.orders.find(made.id))?.status).toBe("created");
  });

  test("of one payment does not pay a second order", async () => {
    const [first, second] = [await order(), await order()];
    await deliver(notice(first));
    expect((await faultOf(deliver(notice(second)))).status).toBe(400);
    const again = deliver(notice(first, { trade_no: "another" }));
    expect((await faultOf(again)).status).toBe(400);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });

  test.each(["before", "after"] as const)(
    "that was lost %s the credit credits when it comes again, once",
    async (when) => {
      const made = await order();
      house.ledger.failNext(when);
      await failureOf(deliver(notice(made)));
      await deliver(notice(made));
      await house.payments.reconcile();
      expect(house.ledger.left("acct_a")).toBe(10n * USD);
    },
  );
});
