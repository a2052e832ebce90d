// What was tried on budgets as an attacker would, and what ordinary callers must not notice of the mend.
import { describe, expect, test } from "bun:test";
import { hashSecret } from "../../src/accounts/keys/secret.ts";
import type { Fault } from "../../src/lib/faults.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Store } from "../../src/store/store.ts";
import { ENGINES } from "../store/engines.ts";
import { account, credit, key as keyRow, total } from "../store/samples.ts";
import { nano } from "../support/books.ts";
import { isFull } from "../support/counts.ts";
import { perSuite } from "../support/houses/house.ts";
import { promptOf, type Script } from "./vendor.ts";
import { openGateway, type TestModel } from "./world.ts";

/** At the price of gpt-5.4, as it is and as a model whose every token is seen. */
const UNSEEN: TestModel = {
  id: "unseen-5.4",
  input: 2_500_000n,
  output: 15_000_000n,
  maxOutput: 128_000,
  thinksUnseen: true,
};
const SEEN: TestModel = { ...UNSEEN, id: "seen-5.4", thinksUnseen: false };
/** At the price of the embedded vendor. */
const SANDBOX: TestModel = {
  id: "box-1.0",
  input: 1_000_000n,
  output: 4_000_000n,
  maxOutput: 16_384,
};

const FREE: TestModel = { id: "free-1.0", input: 0n, output: 0n, maxOutput: 1_000, free: true };

const PLAIN: Script = {
  words: 100_000,
  thoughts: 0,
  counts: "honest",
  obeys: true,
  searches: false,
  step: 1_000,
};

/** Four characters of the dense text are five tokens. Who counts them takes half a second to load. */
async function tokensOf(dense: string): Promise<number> {
  const tokens = (dense.length / 4) * 5;
  if (isFull) {
    const { TOKENIZERS } = await import("../tokenizers/tokenizers.ts");
    expect(TOKENIZERS.o200k(dense)).toBe(tokens);
  }
  return tokens;
}

describe.each(ENGINES)("on $name", (engine) => {
  const house = perSuite(async (parts) => {
    const site = await engine.site(parts);
    const store = await site.open();
    const settings = { FAREGATE_ADMISSION_WAIT_MS: "10000" };
    const gateway = openGateway(store, { models: [UNSEEN, SEEN, SANDBOX, FREE], settings });
    return { site, store, gateway };
  });

  interface Funds {
    readonly credit: string;
    readonly overdraft?: string;
    readonly budget?: string;
    readonly hard?: boolean;
  }

  async function open(money: Funds) {
    const { store } = house as { store: Store };
    const owner = account({ hard: money.hard ?? false, overdraft: nano(money.overdraft ?? "0") });
    await store.accounts.createAccount(owner);
    await credit(store, owner.id, nano(money.credit));
    const secret = newId("secret_");
    const budgets = money.budget === undefined ? [] : total(nano(money.budget));
    // Who may read the account is told what is left of it.
    const may = { accountRead: true, requestsPerMinute: 0 };
    const row = keyRow(owner.id, { hash: hashSecret(secret), ...may, budgets });
    await store.accounts.createKey(row);
    return { secret, accountId: owner.id };
  }

  interface Asked {
    readonly model: TestModel;
    readonly stream: boolean;
    readonly script?: Partial<Script>;
    readonly more?: object;
    readonly before?: string;
  }

  /** Asks once; undefined where it was refused. */
  async function ask(secret: string, { model, stream, script, more, before = "" }: Asked) {
    const content = before + promptOf({ ...PLAIN, ...script });
    const body = { model: model.id, stream, messages: [{ role: "user", content }], ...more };
    const answer = await house.gateway
      .ask({ key: secret, wire: "chat", body })
      .catch((thrown: Error) => thrown);
    if (answer instanceof Error) return { refused: answer, text: "", clamped: undefined };
    const text = await answer.response.text();
    const clamped = answer.response.headers.get("x-faregate-clamped") ?? undefined;
    return { refused: undefined, text, clamped };
  }

  const times = <T>(count: number, each: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, each));

  async function spent(accountId: string): Promise<bigint> {
    await house.gateway.tasks.settled();
    const balance = await house.store.ledger.balance(accountId);
    expect(balance?.held).toBe(0n);
    return balance?.charged ?? 0n;
  }

  async function reasons(accountId: string): Promise<string[]> {
    const rows = await house.site.run<{ billing_reason: string }>(
      `select billing_reason from receipts where account_id = '${accountId}'`,
    );
    return [...new Set(rows.map((row) => row.billing_reason))];
  }

  test.each([
    { words: "whole", model: UNSEEN, stream: false },
    { words: "streams that are seen", model: SEEN, stream: true },
    { words: "streams of what thinks unseen", model: UNSEEN, stream: true },
  ])("60 calls of 100,000 tokens at once on 5.00, $words: 5.00 and no more", async (asked) => {
    const { secret, accountId } = await open({ credit: "5.00" });
    await times(60, () => ask(secret, asked));
    expect(await spent(accountId)).toBeLessThanOrEqual(nano("5.00"));
    // What is left after that is given, and nothing beyond it.
    await times(5, () => ask(secret, asked));
    expect(await spent(accountId)).toBeLessThanOrEqual(nano("5.00"));
  });

  /** 128 answers that come to 245.76 together, where nothing is clamped. */
  const MANY: Asked = {
    ...{ model: UNSEEN, stream: false, more: { n: 128 } },
    script: { words: 5, thoughts: 127_995 },
  };

  test("128 choices without a maximum on a balance of 0.01 are refused, with what they need", async () => {
    const { secret, accountId } = await open({ credit: "0.01" });
    const { refused } = await ask(secret, MANY);
    const { fault, headers } = refused as Fault;
    expect(fault).toBe("budget_exceeded");
    // The input, and 128 × 16 tokens of output.
    expect(nano(String(headers["x-faregate-needed"]))).toBeGreaterThan(128n * 16n * 15_000n);
    expect(headers).toMatchObject({ "x-faregate-scope": "balance", "x-faregate-left": "0.01" });
    expect(await spent(accountId)).toBe(0n);
  });

  test.each([
    ["a balance of 1.00", { credit: "1.00" }, "1.00"],
    ["a balance of 0.01 with an overdraft of 0.50", { credit: "0.01", overdraft: "0.50" }, "0.51"],
    ["an overdraft of 0.25 alone", { credit: "0", overdraft: "0.25" }, "0.25"],
    ["a budget of 1.00", { credit: "500", budget: "1.00" }, "2.00"],
    ["a budget of 6.00", { credit: "500", budget: "6.00" }, "11.00"],
    ["a budget of 6.00 on a balance of 7.00", { credit: "7.00", budget: "6.00" }, "7.00"],
    ["a hard budget of 6.00", { credit: "500", budget: "6.00", hard: true }, "6.00"],
  ] as const)("128 choices without a maximum on %s are clamped", async (_what, funds, most) => {
    const { secret, accountId } = await open(funds);
    const { clamped } = await ask(secret, MANY);
    expect(Number(clamped)).toBeGreaterThanOrEqual(16);
    const charged = await spent(accountId);
    expect(charged).toBeLessThanOrEqual(nano(most));
    expect(charged).toBeGreaterThan((nano(most) * 9n) / 10n);
    await times(20, () => ask(secret, MANY));
    expect(await spent(accountId)).toBeLessThanOrEqual(nano(most));
  });

  const LONG: Asked = { model: SEEN, stream: true, script: { words: 100_000, step: 50 } };

  test("a stream that asks for more passes its budget by the amount of it, in all", async () => {
    const { secret, accountId } = await open({ credit: "50", budget: "0.05" });
    house.gateway.raises.count = 0;
    await ask(secret, LONG);
    expect(house.gateway.raises.count).toBeGreaterThan(1);
    const charged = await spent(accountId);
    expect(charged).toBeGreaterThan(nano("0.09"));
    expect(charged).toBeLessThanOrEqual(nano("0.10"));
    expect(await reasons(accountId)).toEqual(["budget_ended"]);
    expect((await ask(secret, LONG)).refused?.message).toContain("Budget has been exceeded!");
  });

  test("a stream that asks for more passes no balance, and its overdraft neither", async () => {
    const { secret, accountId } = await open({ credit: "0.05", overdraft: "0.03" });
    await ask(secret, LONG);
    const charged = await spent(accountId);
    expect(charged).toBeGreaterThan(nano("0.07"));
    expect(charged).toBeLessThanOrEqual(nano("0.08"));
    await times(20, () => ask(secret, LONG));
    expect(await spent(accountId)).toBeLessThanOrEqual(nano("0.08"));
  });

  test("a lone request passes a large budget by FAREGATE_LONE_MAX, of which there is at least a cent", async () => {
    const settings = { FAREGATE_LONE_MAX: "0.01" };
    const tight = openGateway(house.store, { models: [SEEN, UNSEEN], settings });
    const { secret, accountId } = await open({ credit: "50", budget: "0.30" });
    const content = promptOf({ ...PLAIN, ...LONG.script });
    const body = { model: SEEN.id, stream: true, messages: [{ role: "user", content }] };
    const answer = await tight.ask({ key: secret, wire: "chat", body });
    await answer.response.text();
    await tight.tasks.settled();
    const charged = await spent(accountId);
    expect(charged).toBeGreaterThan(nano("0.30"));
    expect(charged).toBeLessThanOrEqual(nano("0.31"));
  });

  test.each([
    { words: "a stream", asked: { model: SEEN, stream: true }, tokens: 900 },
    { words: "a whole answer", asked: { model: UNSEEN, stream: false }, tokens: 8_000 },
  ])("a budget that is smaller than a short answer lets one through, $words", async (each) => {
    const { secret, accountId } = await open({ credit: "50", budget: "0.000001" });
    const script = { words: each.tokens, step: 10 };
    const { text } = await ask(secret, { ...each.asked, script });
    expect(text).toContain("stop");
    expect(await reasons(accountId)).toEqual(["completed"]);
    expect(await spent(accountId)).toBe(BigInt(each.tokens) * 15_000n + 12n * 2_500n);
    const next = await ask(secret, { ...each.asked, script });
    expect(next.refused?.message).toContain("Budget has been exceeded!");
  });

  test.each([false, true])(
    "60 calls at once on a budget of 1.00, stream %p: one request beyond it",
    async (stream) => {
      const { secret, accountId } = await open({ credit: "50", budget: "1.00" });
      const asked = { model: SANDBOX, stream, script: { words: 16_384 } };
      await times(60, () => ask(secret, asked));
      await times(5, () => ask(secret, asked));
      const most = 16_384n * 4_000n + 1_000n * 1_000n;
      expect(await spent(accountId)).toBeLessThanOrEqual(nano("1.00") + most);
      await times(60, () => ask(secret, asked));
      expect(await spent(accountId)).toBeLessThanOrEqual(nano("1.00") + most);
    },
  );

  test("one long prompt on a hard account of 0.001 is refused, with what is left and needed", async () => {
    const { secret, accountId } = await open({ credit: "0.001", hard: true });
    const { refused } = await ask(secret, {
      ...{ model: SANDBOX, stream: false, script: { words: 5 } },
      before: "word ".repeat(20_000),
    });
    expect(refused?.message).toMatch(/0\.001 left, 0\.\d+ needed/);
    expect(await spent(accountId)).toBe(0n);
  });

  test("60 calls of dense text at once never take a hard account below zero", async () => {
    const { secret, accountId } = await open({ credit: "0.05", hard: true });
    const dense = Array.from({ length: 900 }, (_, i) => `§${i % 7}≠${"ΩжλЖ"[i % 4]}`).join("");
    const input = (await tokensOf(dense)) + 20;
    expect(input / dense.length).toBeGreaterThan(0.6);
    const asked = { model: SANDBOX, stream: false, script: { words: 50, input }, before: dense };
    const answers = await times(60, () => ask(secret, asked));
    expect(answers.some(({ text }) => text !== "")).toBe(true);
    expect(await spent(accountId)).toBeLessThanOrEqual(nano("0.05"));
    // None of it was capped: what was held was enough for what was counted.
    const rows = await house.site.run<{ loss: bigint | number | string }>(
      `select sum(loss) as loss from receipts where account_id = '${accountId}'`,
    );
    expect(BigInt(rows[0]?.loss ?? 0)).toBe(0n);
  });

  test("a stream asks for more only as it uses what it has, and uses what it was given", async () => {
    const { secret, accountId } = await open({ credit: "0.04", hard: true });
    house.gateway.raises.count = 0;
    await ask(secret, { model: SANDBOX, stream: true, script: { words: 16_000, step: 1 } });
    // Each raise is a quarter of what is left, or the floor.
    expect(house.gateway.raises.count).toBeLessThan(20);
    expect(await spent(accountId)).toBeGreaterThan(nano("0.02"));
    expect(await spent(accountId)).toBeLessThanOrEqual(nano("0.04"));
    expect(await reasons(accountId)).toEqual(["budget_ended"]);
  });

  describe("ordinary life", () => {
    test("64 streams of 400 tokens at once on 5.00 all begin at once, and none is cut", async () => {
      const { secret, accountId } = await open({ credit: "5.00" });
      house.gateway.waits.clear();
      const asked = { model: SEEN, stream: true, script: { words: 400, step: 10 } };
      const answers = await times(64, () => ask(secret, asked));
      expect(house.gateway.waits.size).toBe(0);
      expect(answers.filter(({ text }) => !text.endsWith("data: [DONE]\n\n"))).toEqual([]);
      expect(await spent(accountId)).toBe(64n * (400n * 15_000n + 12n * 2_500n));
      expect(await reasons(accountId)).toEqual(["completed"]);
    });

    test("24 whole calls at once on 5.00 all begin at once, with room for 8,192 tokens", async () => {
      const { secret, accountId } = await open({ credit: "5.00" });
      house.gateway.waits.clear();
      const asked = { model: UNSEEN, stream: false, script: { words: 300 } };
      const answers = await times(24, () => ask(secret, asked));
      expect(house.gateway.waits.size).toBe(0);
      const rooms = answers.map(({ clamped }) => Number(clamped ?? 128_000));
      expect(Math.min(...rooms)).toBeGreaterThanOrEqual(8_192);
      expect(await reasons(accountId)).toEqual(["completed"]);
    });

    test("a lone caller with 1.50 left has room for 20,000 tokens", async () => {
      const { secret } = await open({ credit: "1.50" });
      const asked = { model: UNSEEN, stream: false, script: { words: 20_000 } };
      const { clamped, text } = await ask(secret, asked);
      expect(Number(clamped)).toBeGreaterThanOrEqual(20_000);
      expect(JSON.parse(text).choices[0].finish_reason).toBe("stop");
    });

    test("a model that is free holds nothing and has a receipt", async () => {
      const { secret, accountId } = await open({ credit: "0.01" });
      await ask(secret, { model: FREE, stream: false, script: { words: 3 } });
      expect(await spent(accountId)).toBe(0n);
      const rows = await house.site.run<{ held: bigint | number | string }>(
        `select held from receipts where account_id = '${accountId}'`,
      );
      expect(rows.map(({ held }) => BigInt(held))).toEqual([0n]);
    });
  });
});
