import { expect, spyOn, test } from "bun:test";
import { onEngines } from "../../test/store/engines.ts";
import { failureOf } from "../../test/store/samples.ts";
import { faultOf } from "../../test/support/errors.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { paymentsHouse, USD } from "../../test/support/payments/house.ts";
import { newCodeText } from "./code.ts";
import { outstanding } from "./codes.ts";

onEngines("redeem codes on $name", (engine) => {
  const house = perSuite((parts) => paymentsHouse(parts, engine));

  let accounts = 0;
  function account(): string {
    const id = `acct_${++accounts}`;
    house.ledger.open(id);
    return id;
  }

  const FORM = { count: 1, amount: "5", expiresAtMs: null, note: "" };
  const batch = (form: Partial<typeof FORM | { expiresAtMs: number }> = {}) =>
    house.payments.codes.createBatch({ ...FORM, ...form });
  const code = async (form: Partial<typeof FORM | { expiresAtMs: number }> = {}) =>
    (await batch(form)).codes[0] as string;
  const ANN = { userId: "usr_ann", name: "ann@example.org", operator: false };
  const redeem = (accountId: string, typed: string, address = `of ${accountId}`, by = ANN) =>
    house.payments.codes.redeem(accountId, typed, address, by);
  /** What the audit log has of an account: who did what. */
  const audited = (accountId: string) =>
    house.audited
      .filter((entry) => entry.accountId === accountId)
      .map(({ principal, action, detail }) => [principal.name, action, detail]);
  const REDEEMED = ["ann@example.org", "code.redeem", { amount: "5.0" }];

  test("credit their amount, once", async () => {
    const mine = account();
    const text = await code();
    await redeem(mine, text);
    expect(house.ledger.left(mine)).toBe(5n * USD);
    expect((await faultOf(redeem(mine, text))).message).toBe("This code has already been used.");
    const other = account();
    expect(await faultOf(redeem(other, text))).toMatchObject({ status: 400, param: "code" });
    expect([house.ledger.left(mine), house.ledger.left(other)]).toEqual([5n * USD, 0n]);
  });

  test("at the same instant from two instances and many accounts credit once", async () => {
    const text = await code();
    const other = await house.second();
    const all = Array.from({ length: 12 }, () => account());
    const answers = await Promise.allSettled(
      all.map((id, i) => (i % 2 ? house.payments : other).codes.redeem(id, text, `of ${id}`, ANN)),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const sum = all.reduce((total, id) => total + house.ledger.left(id), 0n);
    expect(sum).toBe(5n * USD);
  });

  test("at the same instant by one account credit once, whatever each of them hears", async () => {
    const mine = account();
    const text = await code();
    const other = await house.second();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 ? house.payments : other).codes.redeem(mine, text, `of ${mine}`, ANN).then(
          () => "credited",
          (thrown: Error) => thrown.message,
        ),
      ),
    );
    expect(answers).toContain("credited");
    const others = answers.filter((answer) => answer !== "credited");
    expect(others.filter((words) => words !== "This code has already been used.")).toEqual([]);
    expect(house.ledger.left(mine)).toBe(5n * USD);
    expect(audited(mine)).toEqual([REDEEMED]);
  });

  test.each(["before", "after"] as const)(
    "taken by a process that ended %s the credit are credited by another a minute later, once",
    async (when) => {
      const mine = account();
      const text = await code();
      house.ledger.failNext(when);
      await failureOf(redeem(mine, text));
      const restarted = await house.second();
      house.settings.clockMs = 60_000;
      await restarted.reconcile();
      await restarted.reconcile();
      house.settings.clockMs = 0;
      expect(house.ledger.left(mine)).toBe(5n * USD);
      expect(audited(mine)).toEqual([REDEEMED]);
      expect((await faultOf(redeem(mine, text))).message).toBe("This code has already been used.");
    },
  );

  test("taken by a process that ended are credited though the clock was set back since", async () => {
    const mine = account();
    const text = await code();
    house.settings.clockMs = 86_400_000;
    house.ledger.failNext("before");
    await failureOf(redeem(mine, text));
    house.settings.clockMs = 0;
    await (await house.second()).reconcile();
    expect(house.ledger.left(mine)).toBe(5n * USD);
    expect(audited(mine)).toEqual([REDEEMED]);
  });

  test("that another process finds while they are being credited are left to whoever took them", async () => {
    const mine = account();
    const text = await code();
    const other = await house.second();
    const credit = house.ledger.credit.bind(house.ledger);
    const spied = spyOn(house.ledger, "credit").mockImplementationOnce(async (entry) => {
      await other.reconcile();
      return credit(entry);
    });
    try {
      expect((await redeem(mine, text)).amount).toBe(5n * USD);
    } finally {
      spied.mockRestore();
    }
    expect(house.ledger.left(mine)).toBe(5n * USD);
  });

  test("taken and not credited yet are finished by the same account, and by no other", async () => {
    const mine = account();
    const text = await code();
    house.ledger.failNext("before");
    await failureOf(redeem(mine, text));
    expect((await faultOf(redeem(account(), text))).message).toContain("already been used");
    await redeem(mine, text);
    expect(house.ledger.left(mine)).toBe(5n * USD);
  });

  test.each(["ledger", "audit"] as const)(
    "whose answer by the %s was lost are answered with the amount when they are tried again",
    async (where) => {
      const mine = account();
      const text = await code();
      if (where === "ledger") house.ledger.failNext("after");
      else house.lost.audit = 1;
      await failureOf(redeem(mine, text));
      // Whoever tries it again, the first has redeemed it.
      const bob = { ...ANN, name: "bob@example.org" };
      expect((await redeem(mine, text, "elsewhere", bob)).amount).toBe(5n * USD);
      expect(house.ledger.left(mine)).toBe(5n * USD);
      expect(audited(mine)).toEqual([REDEEMED]);
    },
  );

  test("that have expired say so, and credit nothing", async () => {
    const mine = account();
    const text = await code({ expiresAtMs: Date.now() + 60_000 });
    house.settings.clockMs = 61_000;
    expect((await faultOf(redeem(mine, text))).message).toBe("This code has expired.");
    house.settings.clockMs = 0;
    expect(house.ledger.left(mine)).toBe(0n);
    await redeem(mine, text);
    expect(house.ledger.left(mine)).toBe(5n * USD);
  });

  test("that are unknown and texts that are none are answered alike", async () => {
    const mine = account();
    const real = await code();
    const mistyped = real.slice(0, -1) + (real.endsWith("7") ? "8" : "7");
    const words = await Promise.all(
      [newCodeText(), mistyped, "", "hello", "x".repeat(90)].map(
        async (text) => (await faultOf(redeem(mine, text))).message,
      ),
    );
    expect(new Set(words).size).toBe(1);
  });

  test("are throttled by account", async () => {
    const mine = account();
    for (let i = 0; i < 10; i++) await faultOf(redeem(mine, "nothing", `place ${i}`));
    const text = await code();
    expect((await faultOf(redeem(mine, text, "another place"))).status).toBe(429);
    house.settings.clockMs = 16 * 60_000;
    await redeem(mine, text, "another place");
    house.settings.clockMs = 0;
    expect(house.ledger.left(mine)).toBe(5n * USD);
  });

  test("are throttled by address, tries at the same instant included", async () => {
    const tries = Array.from({ length: 30 }, () => redeem(account(), "nothing", "one place"));
    const answers = await Promise.all(tries.map(faultOf));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    const text = await code();
    const mine = account();
    expect((await faultOf(redeem(mine, text, "one place"))).status).toBe(429);
    await redeem(mine, text, "elsewhere");
  });

  test("that are good never use up the tries", async () => {
    const mine = account();
    const { codes } = await batch({ count: 15 });
    for (const text of codes) await redeem(mine, text);
    expect(house.ledger.left(mine)).toBe(75n * USD);
  });

  test("come in batches that remember what became of them, but not the codes", async () => {
    const mine = account();
    const made = await batch({ count: 1200, note: "fair" });
    expect(new Set(made.codes).size).toBe(1200);
    await redeem(mine, made.codes[700] as string);
    const { batch: now, codes } = await house.payments.codes.batch(made.batch.id, false);
    expect(now).toMatchObject({ codes: 1200, redeemed: 1, note: "fair", amount: 5n * USD });
    expect(codes).toHaveLength(1200);
    expect(codes.filter(({ redeemedBy }) => redeemedBy === mine)).toHaveLength(1);
    expect((await house.payments.codes.batch(made.batch.id, true)).codes).toHaveLength(1199);
    expect(JSON.stringify(codes)).not.toContain((made.codes[0] as string).slice(0, 14));
    const [newest] = await house.payments.codes.listBatches(undefined, 1);
    expect(newest?.id).toBe(made.batch.id);
    expect((await faultOf(house.payments.codes.batch("batch_x", false))).status).toBe(404);
  });

  test("that were revoked say so and credit nothing, and what somebody has stays theirs", async () => {
    const mine = account();
    const { batch: made, codes: texts } = await batch({ count: 4 });
    await redeem(mine, texts[0] as string);
    const { codes } = house.payments;
    const [first] = await codes.page(made.id, { state: "unused", limit: 10 });
    expect(await codes.revoke(made.id, first?.id)).toMatchObject({ count: 1 });
    expect((await codes.revoke(made.id, first?.id)).count).toBe(0);
    const all = await codes.revoke(made.id, undefined);
    expect(all).toMatchObject({ count: 2, batch: { codes: 4, redeemed: 1, revoked: 3 } });
    expect(outstanding(all.batch)).toBe(0n);
    for (const text of texts.slice(1)) {
      expect((await faultOf(redeem(mine, text))).message).toMatch("was withdrawn");
    }
    expect(house.ledger.left(mine)).toBe(5n * USD);
    expect((await codes.batch(made.id, true)).codes).toEqual([]);
    expect((await faultOf(codes.revoke("batch_x", undefined))).status).toBe(404);
  });

  test("tell who redeemed them, page by page and by what became of them", async () => {
    const mine = account();
    const { batch: made, codes: texts } = await batch({ count: 5 });
    const { codes } = house.payments;
    await codes.redeem(mine, texts[2] as string, "a place", ANN);
    const taken = await codes.page(made.id, { state: "redeemed", limit: 10 });
    expect(taken).toMatchObject([{ redeemedBy: mine, redeemedPerson: "ann@example.org" }]);
    const front = await codes.page(made.id, { limit: 3 });
    const back = await codes.page(made.id, { after: front.at(-1)?.id, limit: 3 });
    expect([front.length, back.length]).toEqual([3, 2]);
    expect(new Set([...front, ...back].map(({ id }) => id)).size).toBe(5);
    const other = await batch({ count: 1 });
    expect((await codes.revoke(other.batch.id, front[0]?.id)).count).toBe(0);
    expect((await faultOf(codes.page("batch_x", { limit: 1 }))).status).toBe(404);
  });

  test("revoked and redeemed at the same instant are one of both", async () => {
    const { batch: made, codes: texts } = await batch({ count: 20 });
    const other = await house.second();
    const accounts = texts.map(() => account());
    const redeeming = texts.map((text, i) => redeem(accounts[i] as string, text).catch(() => {}));
    const [{ count }] = await Promise.all([other.codes.revoke(made.id, undefined), ...redeeming]);
    const sum = accounts.reduce((total, id) => total + house.ledger.left(id), 0n);
    expect(sum).toBe(5n * USD * BigInt(20 - count));
    const { batch: now } = await house.payments.codes.batch(made.id, false);
    expect([now.redeemed, now.revoked]).toEqual([20 - count, count]);
  });

  test("of a wrong amount or a past expiry are refused at the field", async () => {
    expect(await faultOf(batch({ amount: "0" }))).toMatchObject({ param: "amount" });
    expect(await faultOf(batch({ amount: "10000.01" }))).toMatchObject({ param: "amount" });
    const past = batch({ expiresAtMs: Date.now() - 1 });
    expect(await faultOf(past)).toMatchObject({ param: "expires_at" });
  });
});
