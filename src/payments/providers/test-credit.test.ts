import { describe, expect, spyOn, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { paymentsHouse, USD } from "../../../test/support/payments/house.ts";

const house = perTest(paymentsHouse);

const order = () => house.payments.orders.create("acct_a", { provider: "test", amount: "20" });
const reverse = () => house.payments.testPayments.reverseTestCredit();

async function payTest(): Promise<string> {
  const { id } = await order();
  await house.payments.testPayments.pay("acct_a", id);
  return id;
}

async function gift(id: string, amount: bigint): Promise<void> {
  const credit = { id, accountId: "acct_a", amount, kind: "topup", note: "", createdAtMs: 0 };
  await house.ledger.credit({ ...credit, kind: "topup" });
}

describe("the test payment", () => {
  test("credits play money under its own name, once", async () => {
    const { id } = await order();
    const { pay } = { pay: () => house.payments.testPayments.pay("acct_a", id) };
    const paid = await Promise.all([pay(), pay()]);
    expect(paid.map(({ status }) => status)).toEqual(["paid", "paid"]);
    await pay();
    expect(house.ledger.kinds("acct_a")).toEqual(["test"]);
    expect(await house.payments.testCredit("acct_a")).toBe(20n * USD);
  });

  test("is offered only while it is allowed", async () => {
    expect(await house.payments.providers()).toEqual(["stripe", "epay", "test", "code"]);
    const open = await order();
    house.settings.testAllowed = false;
    expect(await house.payments.providers()).toEqual(["stripe", "epay", "code"]);
    expect(await faultOf(order())).toMatchObject({ status: 400, param: "provider" });
    expect((await faultOf(house.payments.testPayments.pay("acct_a", open.id))).status).toBe(400);
    expect(house.ledger.entries).toEqual([]);
  });

  test("confirms no order of another provider or account", async () => {
    const { pay } = house.payments.testPayments;
    const real = await house.payments.orders.create("acct_a", { provider: "stripe", amount: "5" });
    const call = pay.bind(house.payments.testPayments);
    expect((await faultOf(call("acct_a", real.id))).status).toBe(400);
    const { id } = await order();
    expect((await faultOf(call("acct_b", id))).status).toBe(404);
    expect(house.ledger.entries).toEqual([]);
  });
});

describe("once a real channel is enabled", () => {
  test("what is left of test credit is reversed, once, and paid money stays", async () => {
    await payTest();
    await gift("real", 10n * USD);
    house.ledger.charge("acct_a", 6n * USD);
    await reverse();
    expect(house.ledger.entries).toHaveLength(2);
    house.settings.testAllowed = false;
    await reverse();
    await reverse();
    expect(house.ledger.kinds("acct_a")).toEqual(["test", "topup", "reversal"]);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
    expect(await house.payments.testCredit("acct_a")).toBe(0n);
  });

  test("nothing is taken where test credit was used up", async () => {
    await payTest();
    await gift("real", 10n * USD);
    house.ledger.charge("acct_a", 25n * USD);
    house.settings.testAllowed = false;
    await reverse();
    expect(house.ledger.left("acct_a")).toBe(5n * USD);
  });

  test("paid money stays where one process finds too little and another does not", async () => {
    await payTest();
    await gift("real", 30n * USD);
    house.settings.testAllowed = false;
    const other = await house.second();
    house.ledger.meanwhile(async () => {
      house.ledger.hold("acct_a", 50n * USD);
      await other.testPayments.reverseTestCredit();
      house.ledger.hold("acct_a", -50n * USD);
    });
    for (let i = 0; i < 3; i++) await reverse();
    expect(house.ledger.left("acct_a")).toBe(30n * USD);
    expect(await house.payments.testCredit("acct_a")).toBe(0n);
  });

  test("what running requests hold is reversed when they end", async () => {
    await payTest();
    house.ledger.hold("acct_a", 15n * USD);
    house.settings.testAllowed = false;
    await reverse();
    expect(house.ledger.left("acct_a")).toBe(15n * USD);
    house.ledger.hold("acct_a", -15n * USD);
    house.ledger.charge("acct_a", 2n * USD);
    house.settings.clockMs = 10;
    await reverse();
    expect(house.ledger.left("acct_a")).toBe(0n);
  });

  test("later test credit is reversed by its own amount", async () => {
    await payTest();
    house.settings.testAllowed = false;
    await reverse();
    await gift("real", 10n * USD);
    house.ledger.charge("acct_a", 4n * USD);
    house.settings.testAllowed = true;
    house.settings.clockMs = 10;
    await payTest();
    house.settings.testAllowed = false;
    house.settings.clockMs = 20;
    await reverse();
    expect(house.ledger.left("acct_a")).toBe(6n * USD);
  });

  test("a clock that was set back since the payment makes nothing be taken again", async () => {
    await payTest();
    await gift("real", 50n * USD);
    house.settings.clockMs = -3 * 3_600_000;
    house.settings.testAllowed = false;
    for (let i = 0; i < 3; i++) await reverse();
    expect(house.ledger.kinds("acct_a")).toEqual(["test", "topup", "reversal"]);
    expect(house.ledger.left("acct_a")).toBe(50n * USD);
    expect(await house.payments.testCredit("acct_a")).toBe(0n);
  });

  test("what was used between two test payments counts whichever way the clock was set", async () => {
    await payTest();
    await gift("real", 50n * USD);
    house.ledger.charge("acct_a", 15n * USD);
    house.settings.clockMs = -3 * 3_600_000;
    await payTest();
    expect(await house.payments.testCredit("acct_a")).toBe(25n * USD);
  });

  test("a test payment that came while the balance was read is reversed once", async () => {
    await payTest();
    await gift("real", 50n * USD);
    const late = await order();
    const other = await house.second();
    const balance = house.ledger.balance.bind(house.ledger);
    house.ledger.charge("acct_a", 20n * USD);
    // Who asks first hears what the balance was before somebody used of it and paid elsewhere.
    spyOn(house.ledger, "balance").mockImplementationOnce(async (account) => {
      const before = await balance(account);
      house.ledger.charge("acct_a", 3n * USD);
      house.settings.testAllowed = true;
      await other.testPayments.pay("acct_a", late.id);
      house.settings.testAllowed = false;
      return before;
    });
    house.settings.testAllowed = false;
    for (let i = 0; i < 4; i++) await reverse();
    expect(house.ledger.left("acct_a")).toBe(47n * USD);
  });

  test("accounts of which nothing is left are not gone through again", async () => {
    await payTest();
    house.settings.testAllowed = false;
    await reverse();
    await reverse();
    const balance = spyOn(house.ledger, "balance");
    await reverse();
    expect(balance).not.toHaveBeenCalled();
    house.settings.testAllowed = true;
    await payTest();
    house.settings.testAllowed = false;
    await reverse();
    expect(house.ledger.left("acct_a")).toBe(0n);
  });

  test("two instances reverse once", async () => {
    await payTest();
    await gift("real", 30n * USD);
    house.settings.testAllowed = false;
    const other = await house.second();
    const both = [reverse, () => other.testPayments.reverseTestCredit()];
    await Promise.all([...both, ...both].map((work) => work()));
    expect(house.ledger.left("acct_a")).toBe(30n * USD);
    expect(house.ledger.kinds("acct_a")).toEqual(["test", "topup", "reversal"]);
  });

  test.each(["before", "after"] as const)(
    "a crash %s the entry is healed at the next start, once",
    async (when) => {
      await payTest();
      await gift("real", 30n * USD);
      house.settings.testAllowed = false;
      house.ledger.failNext(when);
      await reverse();
      expect(house.logged("payment_not_taken_up")).toHaveLength(1);
      const restarted = await house.second();
      await restarted.reconcile();
      await restarted.reconcile();
      expect(house.ledger.left("acct_a")).toBe(30n * USD);
    },
  );
});
