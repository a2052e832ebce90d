import { describe, expect, test } from "bun:test";
import type { ExceededScope } from "../admission/request.ts";
import type { Balance } from "../ledger/books.ts";
import { exceeded, short } from "./refusals.ts";
import type { Services } from "./services.ts";

const CUSTOMER = {
  key: { id: "key_1", accountId: "acct_1", operator: false, accountRead: true },
};
/** May not read its account. */
const NARROW = { key: { ...CUSTOMER.key, accountRead: false } };
const OPERATOR = { key: { ...CUSTOMER.key, operator: true } };
const RESETS_AT = "2027-01-01T23:00:00.000Z";

const BALANCE: ExceededScope = { scope: "balance", used: 10_012_300_000n, max: 10_000_000_000n };
const TOTAL: ExceededScope = { ...BALANCE, scope: "budget", period: "total", resetsAtMs: null };
const DAY: ExceededScope = {
  ...BALANCE,
  scope: "budget",
  period: "day",
  resetsAtMs: Date.parse(RESETS_AT),
};

function services({ trialOnly = false } = {}): Pick<Services, "books"> {
  const balance: Balance = { credited: 10n, charged: 10n, held: 0n, running: 0n, trialOnly };
  const books = { balance: async () => balance, spending: async () => ({ used: 42_000_000n }) };
  return { books: books as unknown as Services["books"] };
}

describe("a limit that is used up", () => {
  test.each([
    ["a balance", BALANCE, CUSTOMER],
    ["a balance of the operator's", BALANCE, OPERATOR],
    ["a budget", TOTAL, CUSTOMER],
    ["a budget of a key that may not read its account", TOTAL, NARROW],
    ["a budget of a period, of the operator's", DAY, OPERATOR],
  ])("is told in one sentence that nothing follows: %s", async (_name, scope, caller) => {
    const fault = await exceeded(services(), caller, scope);
    expect(fault.message).toBe("Budget has been exceeded! Current cost: 10.0123, Max budget: 10.0");
    expect([fault.status, fault.type, fault.code]).toEqual([400, "budget_exceeded", "400"]);
  });

  test("tells its facts in headers and to the receipt", async () => {
    const fault = await exceeded(services(), CUSTOMER, DAY);
    expect(fault.refusal).toMatchObject({ ...DAY, left: 0n, needed: null });
    expect(fault.headers).toEqual({
      "x-faregate-scope": "budget",
      "x-faregate-period": "day",
      "x-faregate-used": "10.0123",
      "x-faregate-max": "10.0",
      "x-faregate-left": "0.0",
      "x-faregate-resets-at": RESETS_AT,
      "x-faregate-fix": `Wait until it starts again at ${RESETS_AT}, or raise the key's daily budget.`,
    });
    const balance = await exceeded(services(), CUSTOMER, BALANCE);
    expect(balance.headers).not.toHaveProperty("x-faregate-period");
    expect(balance.headers).not.toHaveProperty("x-faregate-resets-at");
  });

  test("is told by the key's own figures where it may not read those of the account", async () => {
    const fault = await exceeded(services(), NARROW, BALANCE);
    expect(fault.message).toBe("Budget has been exceeded! Current cost: 0.042, Max budget: 0.042");
    expect(fault.headers).toEqual({
      "x-faregate-scope": "balance",
      "x-faregate-fix": "Top up the balance.",
    });
    // For whoever may read the account.
    expect(fault.refusal).toMatchObject({ ...BALANCE, left: 0n });
  });

  test.each([
    [BALANCE, CUSTOMER, "Top up the balance."],
    [BALANCE, OPERATOR, "Add to the balance with: ./bin/faregate topup --account acct_1 10.00"],
    [TOTAL, CUSTOMER, "Raise the key's budget."],
    [TOTAL, OPERATOR, "Raise the key's budget with: ./bin/faregate key set key_1 --budget 20.03"],
    [
      DAY,
      OPERATOR,
      `Wait until it starts again at ${RESETS_AT}, or raise the key's daily budget with: ` +
        "./bin/faregate key set key_1 --budget-day 20.03",
    ],
  ])("names what helps", async (scope, caller, fix) => {
    expect((await exceeded(services(), caller, scope)).refusal.fix).toBe(fix);
  });

  test("is called trial credit where the operator never had anything else", async () => {
    const { refusal } = await exceeded(services({ trialOnly: true }), OPERATOR, BALANCE);
    expect(refusal.fix).toStartWith("Add to the trial credit with: ./bin/faregate topup ");
  });
});

describe("a hard limit with too little left", () => {
  const amounts = { kind: "short", left: 1_000_000n, needed: 2_000_000n } as const;

  test("says what is left and what is needed, and what helps", async () => {
    const fault = await short(services(), CUSTOMER, { ...amounts, ...TOTAL });
    expect(fault.message).toBe(
      "What is left of the budget does not do for this request: 0.001 left, 0.002 needed.",
    );
    expect(fault.headers).toEqual({
      "x-faregate-scope": "budget",
      "x-faregate-period": "total",
      "x-faregate-used": "10.0123",
      "x-faregate-max": "10.0",
      "x-faregate-left": "0.001",
      "x-faregate-needed": "0.002",
      "x-faregate-fix": "Send a request that costs less, or raise the key's budget.",
    });
  });

  test("says only what is needed to a key that may not read the account", async () => {
    const fault = await short(services(), NARROW, { ...amounts, ...BALANCE });
    expect(fault.message).toBe(
      "What is left of the balance does not do for this request: 0.002 needed.",
    );
    expect(fault.headers).toEqual({
      "x-faregate-scope": "balance",
      "x-faregate-needed": "0.002",
      "x-faregate-fix": "Send a request that costs less, or top up the balance.",
    });
    expect(fault.refusal).toMatchObject({ ...BALANCE, left: 1_000_000n });
  });

  test.each([
    [BALANCE, CUSTOMER, "Send a request that costs less, or top up the balance."],
    [
      DAY,
      CUSTOMER,
      `Send a request that costs less, wait until it starts again at ${RESETS_AT}, ` +
        "or raise the key's daily budget.",
    ],
    [
      { ...TOTAL, used: 0n, max: 0n },
      OPERATOR,
      "Send a request that costs less, or raise the key's budget with: " +
        "./bin/faregate key set key_1 --budget 0.01",
    ],
  ])("names what helps", async (scope, caller, fix) => {
    expect((await short(services(), caller, { ...amounts, ...scope })).refusal.fix).toBe(fix);
  });
});
