import { describe, expect, test } from "bun:test";
import { allowanceFor } from "../../test/support/houses/allowances.ts";
import { type Model, type PriceVersion, shippedCatalogue } from "../catalogue/models.ts";
import type { TokensTaken } from "../ledger/receipt.ts";
import { Fault } from "../lib/faults.ts";
import { TimeBudget } from "../lib/threads/time-budget.ts";
import { NO_USAGE, type Usage } from "../protocols/usage.ts";
import { AdmittedRequest, type Caller, refusal, type Tally } from "./admitted-request.ts";
import { CLIENT_LEFT, COMPLETED, FINISHED_ALONE, SLOW_READER } from "./ending/cause.ts";

const model = shippedCatalogue().find("sandbox-1.0") as Model;
const priced = model.prices[0] as PriceVersion;
// A dollar per million input tokens, four per million of output: 1,000 and 4,000 nano a token.

const caller: Caller = {
  requestId: "req_1",
  endpoint: "responses",
  createdAtMs: 1_000,
  startedAtMs: 1_000,
  knownAtMs: 1_000,
  timeBudget: new TimeBudget(0),
  key: {
    id: "key_1",
    accountId: "acct_1",
    name: "k",
    lastFour: "abcd",
    enabled: true,
    expiresAtMs: null,
    models: null,
    networks: null,
    requestsPerMinute: 0,
    tokensPerMinute: 1_000,
    concurrency: 0,
    hard: false,
    accountRead: false,
    showCost: true,
    createdAtMs: 0,
    lastUsedAtMs: null,
    deletedAtMs: null,
    secretEndsAtMs: null,
    accountEnabled: true,
    accountHard: false,
    overdraft: 0n,
    inputLoss: { day: 0, amount: 0n },
    operator: false,
  },
};

/** More than any request of these tests can cost. */
const PLENTY = 10_000_000_000n;

function run(
  maxOutput?: number,
  choices = 1,
  version = priced,
  taken?: TokensTaken,
): AdmittedRequest {
  const candidate = { model, priced: version };
  return new AdmittedRequest(
    {
      caller,
      request: { model: "sandbox-1.0", stream: true, choices, webSearch: false },
      candidates: [candidate],
      inputTokens: 100,
    },
    allowanceFor([candidate], { held: PLENTY, maxOutput, choices }),
    taken,
  );
}

/** A vendor that is asked, on the channel of this name with the key that ends so. */
function target(channel: string, lastFour: string) {
  return { channel: { id: channel }, credential: { key: { lastFour } } } as Parameters<
    AdmittedRequest["begin"]
  >[1];
}

const USAGE: Usage = { ...NO_USAGE, fresh: 120, output: 30 };
const CHARGED = 120n * 1_000n + 30n * 4_000n;

/** With so many characters of Latin text delivered. */
function tally(usage: Usage | undefined, chars = 0): Tally {
  return {
    usage,
    outputTokens: chars / 4,
    webSearches: 0,
    responseId: "resp_1",
    vendorRequestId: "v_1",
    vendorStatus: 200,
    firstByteAtMs: 1_200,
    endedAtMs: 1_500,
  };
}

const GONE = new Fault("upstream_unavailable", "gone");
const VENDOR_FAILED = { kind: "vendor_failed", fault: GONE } as const;
const BUG = { kind: "gateway_failed", fault: new Fault("internal_error", "bug") } as const;

describe("what each ending costs", () => {
  test.each([
    ["completed", () => run().settle(COMPLETED, tally(USAGE)), "completed", 200, CHARGED, "vendor"],
    [
      "completed without usage",
      () => run().settle(COMPLETED, tally(undefined, 40)),
      "completed_estimated",
      200,
      100_000n + 10n * 4_000n,
      "estimated",
    ],
    [
      "finished for a client that left",
      () => run().settle(FINISHED_ALONE, tally(USAGE)),
      "client_closed_finished",
      200,
      CHARGED,
      "vendor",
    ],
    [
      "left by its client: input and what was delivered",
      () => run().settle(CLIENT_LEFT, tally(undefined, 8)),
      "client_closed",
      499,
      100_000n + 2n * 4_000n,
      "estimated",
    ],
    [
      "left by its client after the vendor had counted",
      () => run().settle(CLIENT_LEFT, tally(USAGE, 8)),
      "client_closed",
      499,
      CHARGED,
      "vendor",
    ],
    [
      "failed by a vendor that counted",
      () => run().settle(VENDOR_FAILED, tally(USAGE, 8)),
      "upstream_failed_with_usage",
      503,
      CHARGED,
      "vendor",
    ],
    [
      "failed by a vendor",
      () => run().settle(VENDOR_FAILED, tally(undefined, 8)),
      "upstream_failed",
      503,
      0n,
      "none",
    ],
    [
      "failed by ourselves",
      () => run().settle(BUG, tally(undefined, 8)),
      "gateway_failed",
      500,
      0n,
      "none",
    ],
    [
      "failed by ourselves although the vendor counted",
      () => run().settle(BUG, tally(USAGE)),
      "gateway_failed",
      500,
      0n,
      "vendor",
    ],
  ] as const)("%s", (_name, end, reason, status, amount, source) => {
    const { kind, receipt } = end();
    expect(receipt.charge.amount).toBe(amount);
    expect(kind).toBe(amount > 0n ? "post" : "void");
    expect([receipt.billingReason, receipt.status, receipt.usageSource]).toEqual([
      reason,
      status,
      source,
    ]);
    const total = receipt.charge.lines.reduce((sum, line) => sum + line.amountPico, 0n);
    expect((total + 999n) / 1_000n).toBe(amount);
    expect(receipt.loss).toBe(amount > 0n ? 0n : receipt.loss);
  });

  test.each([CLIENT_LEFT, SLOW_READER, { kind: "overran", fault: GONE } as const])(
    "what was delivered before $kind is charged beyond counts that the vendor gave first",
    (cause) => {
      const { charge } = run().settle(
        cause,
        tally({ ...NO_USAGE, fresh: 120, output: 1 }, 40),
      ).receipt;
      expect(charge.amount).toBe(120n * 1_000n + 10n * 4_000n);
    },
  );

  test("an unpaid request books what it cost the house", () => {
    expect(run().settle(BUG, tally(USAGE)).receipt.loss).toBe(CHARGED);
    expect(run().settle(VENDOR_FAILED, tally(undefined, 8)).receipt.loss).toBe(108_000n);
  });

  test("counts of zero beside an answer are nobody's counts: it is estimated", () => {
    const { kind, receipt } = run().settle(COMPLETED, tally(NO_USAGE, 400));
    expect([kind, receipt.charge.amount]).toEqual(["post", 100_000n + 100n * 4_000n]);
    expect([receipt.usageSource, receipt.billingReason]).toEqual([
      "estimated",
      "completed_estimated",
    ]);
  });

  test("a failure whose vendor counted nothing that can be true is not charged", () => {
    for (const usage of [NO_USAGE, { ...NO_USAGE, fresh: 90_000_000, output: 90_000_000 }]) {
      const { kind, receipt } = run().settle(VENDOR_FAILED, tally(usage, 8));
      expect([kind, receipt.billingReason]).toEqual(["void", "upstream_failed"]);
      expect([receipt.usageSource, receipt.loss]).toEqual(["none", 108_000n]);
    }
  });

  test("a failure is charged what its vendor counted, and nothing is added to it", () => {
    const missing = { input: false, output: true, total: undefined };
    const told = { ...NO_USAGE, fresh: 120, missing };
    const { receipt } = run().settle(VENDOR_FAILED, tally(told, 400));
    expect([receipt.billingReason, receipt.usageSource, receipt.charge.amount]).toEqual([
      "upstream_failed_with_usage",
      "vendor",
      120_000n,
    ]);
  });
});

describe("an estimate", () => {
  const output = (of: AdmittedRequest, chars: number) =>
    of.settle(COMPLETED, tally(undefined, chars)).receipt.usage.output;

  test("is capped by what the client asked for, for each choice", () => {
    expect(output(run(5), 4_000)).toBe(5);
    expect(output(run(5, 3), 4_000)).toBe(15);
    expect(output(run(5), 8)).toBe(2);
  });

  test("is capped by what the model can write", () => {
    expect(output(run(), 100_000_000)).toBe(model.maxOutput);
    expect(output(run(10_000_000), 100_000_000)).toBe(model.maxOutput);
  });
});

describe("a vendor's counts", () => {
  test("are not believed beyond what the model can read and write", () => {
    const absurd = { ...NO_USAGE, fresh: 90_000_000, output: 90_000_000 };
    const { usage, charge, usageSource } = run().settle(COMPLETED, tally(absurd, 40)).receipt;
    expect([usage.fresh, usage.output, usage.clamped]).toEqual([100, 10, true]);
    expect(usageSource).toBe("estimated");
    const lines = charge.lines.map(({ quantity }) => quantity);
    expect(lines).toEqual([100, 10]);
  });

  test("are believed up to what the model can read, whatever was estimated", () => {
    const most = { ...NO_USAGE, fresh: model.context, output: model.maxOutput };
    const { usage, usageSource } = run().settle(COMPLETED, tally(most, 40)).receipt;
    expect([usage, usageSource]).toEqual([most, "vendor"]);
  });

  test("are charged as they are where nothing is wrong with them, as the same object", () => {
    expect(run().settle(COMPLETED, tally(USAGE, 40)).receipt.usage).toBe(USAGE);
  });
});

describe("a request", () => {
  const hard = (held: bigint, more: object = { hard: true }, input = 80) =>
    new AdmittedRequest(
      {
        caller: { ...caller, key: { ...caller.key, ...more } },
        request: { model: "x", stream: true, choices: 1, webSearch: false },
        candidates: [{ model, priced }],
        inputTokens: 100,
      },
      allowanceFor([{ model, priced }], { held, input, maxOutput: 100 }),
    );

  test.each([{ hard: true }, { accountHard: true }, {}])(
    "pays for no more input than our bound, and the house for the rest: %p",
    (more) => {
      const { receipt } = hard(500_000n, more).settle(COMPLETED, tally(USAGE, 8));
      const paid = 80n * 1_000n + 30n * 4_000n;
      expect([receipt.charge.amount, receipt.loss]).toEqual([paid, CHARGED - paid]);
      expect(receipt.inputLoss).toBe(CHARGED - paid);
      expect(receipt.charge.lines.map(({ quantity }) => quantity)).toEqual([80, 30]);
      expect(receipt.usage).toEqual({ ...USAGE, fresh: 80, clamped: true });
    },
  );

  test.each([{ hard: true }, { accountHard: true }, {}])(
    "pays no more than its hold: %p",
    (more) => {
      const asked = hard(100_000n, more);
      // Vendors take no smaller maximum than 16, though the hold buys 5.
      asked.begin(asked.candidates[0], target("one", ""), 1_000, { outputClamp: 16 });
      const usage = { ...USAGE, fresh: 80, output: 16 };
      const { receipt } = asked.settle(COMPLETED, tally(usage, 8));
      expect([receipt.charge.amount, receipt.loss]).toEqual([100_000n, 44_000n]);
      expect(receipt.inputLoss).toBe(0n);
      expect(receipt.charge.lines.at(-1)).toEqual({
        item: "beyond_hold",
        quantity: 1,
        unitPico: -44_000_000n,
        amountPico: -44_000_000n,
      });
      expect(receipt.usage).toBe(usage);
    },
  );

  test("pays the price by size of the input that it is charged for", () => {
    const tier = { promptTokens: 100, rates: { ...priced.rates, input: 9_000_000n } };
    const version = { ...priced, above: [tier] };
    const candidate = { model, priced: version };
    const asked = new AdmittedRequest(
      {
        caller,
        request: { model: "x", stream: true, choices: 1, webSearch: false },
        candidates: [candidate],
        inputTokens: 70,
      },
      allowanceFor([candidate], { held: PLENTY, input: 80 }),
    );
    const { receipt } = asked.settle(COMPLETED, tally(USAGE));
    expect(receipt.charge.amount).toBe(80n * 1_000n + 30n * 4_000n);
    expect(receipt.inputLoss).toBe(120n * 9_000n - 80n * 1_000n);
  });

  test("loses no more than the input that its model can read, whatever its vendor counts", () => {
    const { receipt } = hard(500_000n).settle(COMPLETED, tally({ ...USAGE, fresh: 1e12 }, 8));
    // What cannot be true is estimated, within the bound.
    expect([receipt.usage.fresh, receipt.usage.clamped]).toEqual([80, true]);
    expect(receipt.inputLoss).toBe(BigInt(model.context - 80) * 1_000n);
  });

  test("pays what it used where its hold covers that", () => {
    const { receipt } = hard(CHARGED, {}, 120).settle(COMPLETED, tally(USAGE, 8));
    expect([receipt.charge.amount, receipt.loss]).toEqual([CHARGED, 0n]);
    expect(receipt.charge.lines).toHaveLength(2);
  });

  test("pays for no more output than its hold buys", () => {
    const { receipt } = hard(120_000n, {}).settle(COMPLETED, tally(USAGE, 8));
    expect(receipt.usage).toEqual({ ...USAGE, fresh: 80, output: 10, clamped: true });
  });

  test("loses us all of what it does not pay for", () => {
    expect(hard(200_000n).settle(BUG, tally(USAGE)).receipt.loss).toBe(CHARGED);
  });

  test("is charged no more output than its vendor was asked for", () => {
    const asked = hard(1_000_000n);
    asked.begin(asked.candidates[0], target("one", ""), 1_000, { outputClamp: 20 });
    const { receipt } = asked.settle(COMPLETED, tally(USAGE, 8));
    expect(receipt.usage).toEqual({ ...USAGE, fresh: 80, output: 20, clamped: true });
    expect(receipt.outputClamp).toBe(20);
  });
});

describe("the receipt", () => {
  test("names request, answer, times and price", () => {
    const answered = run();
    answered.begin(answered.candidates[0], target("sandbox", ""), 1_000);
    expect(answered.settle(COMPLETED, tally(USAGE)).receipt).toMatchObject({
      requestId: "req_1",
      accountId: "acct_1",
      keyId: "key_1",
      createdAtMs: 1_000,
      endpoint: "responses",
      model: "sandbox-1.0",
      stream: true,
      channel: "sandbox",
      servedModel: null,
      attempts: [],
      vendorRequestId: "v_1",
      responseId: "resp_1",
      priceVersion: priced.version,
      held: PLENTY,
      refusal: null,
      outputClamp: null,
      firstByteMs: 200,
      durationMs: 500,
      errorCode: null,
    });
  });

  test("lists every vendor that was asked, once there was more than one", () => {
    const tried = run();
    tried.begin(tried.candidates[0], target("one", "aaaa"), 1_010);
    tried.heard("500 down for a while");
    tried.gaveUp(500, GONE, 1_110);
    tried.begin(tried.candidates[0], target("two", "bbbb"), 1_110);
    const { receipt } = tried.settle(COMPLETED, tally(USAGE));
    expect(receipt.channel).toBe("two");
    expect(receipt.attempts).toEqual([
      {
        channel: "one",
        credential: "aaaa",
        model: null,
        status: 500,
        code: "upstream_unavailable",
        message: "500 down for a while",
        startedMs: 10,
        durationMs: 100,
      },
      {
        channel: "two",
        credential: "bbbb",
        model: null,
        status: 200,
        code: null,
        message: null,
        startedMs: 110,
        durationMs: 390,
      },
    ]);
  });

  test("a model that stands in for another is charged at its own price, and named", () => {
    const other = shippedCatalogue().find("sandbox-mini-1.0") as Model;
    const cheaper = { model: other, priced: other.prices[0] as PriceVersion };
    const asked = new AdmittedRequest(
      {
        caller,
        request: { model: "x", stream: false, choices: 1, webSearch: false },
        candidates: [{ model, priced }, cheaper],
        inputTokens: 100,
      },
      allowanceFor([{ model, priced }, cheaper], { held: PLENTY }),
    );
    asked.begin(cheaper, target("one", ""), 1_010);
    const { receipt } = asked.settle(COMPLETED, tally(USAGE));
    expect([receipt.model, receipt.servedModel]).toEqual(["sandbox-1.0", "sandbox-mini-1.0"]);
    expect(receipt.charge.amount).toBeLessThan(CHARGED);
    expect(receipt.priceVersion).toBe(cheaper.priced.version);
  });

  test("tells its key's window how many tokens it used of those that it took", () => {
    const taken = { second: 1_000, tokens: 100 };
    const settled = (...end: Parameters<AdmittedRequest["settle"]>) =>
      run(undefined, 1, priced, taken).settle(...end).tokens;
    expect(settled(COMPLETED, tally(USAGE))).toEqual({ taken, used: 150 });
    expect(settled(COMPLETED, tally({ ...NO_USAGE, fresh: 5 }))).toEqual({ taken, used: 5 });
    expect(settled(VENDOR_FAILED, tally(USAGE))).toEqual({ taken, used: 150 });
    expect(settled(VENDOR_FAILED, tally(undefined))).toEqual({ taken, used: 0 });
    expect(run().settle(COMPLETED, tally(USAGE)).tokens).toBeUndefined();
  });

  test("a dearer tier applies by the tokens that were really read", () => {
    const tier = { promptTokens: 110, rates: { ...priced.rates, input: 9_000_000n } };
    const tiered = run(undefined, 1, { ...priced, above: [tier] });
    const { charge } = tiered.settle(COMPLETED, tally(USAGE)).receipt;
    expect(charge.amount).toBe(120n * 9_000n + 30n * 4_000n);
  });
});

describe("refusal", () => {
  test("is a row of zero cost that says why", () => {
    const row = refusal(
      caller,
      { model: "x".repeat(500), stream: false },
      new Fault("model_not_found", "no"),
      1_009,
    );
    expect(row).toMatchObject({
      status: 404,
      billingReason: "refused",
      errorCode: "model_not_found",
      charge: { lines: [], amount: 0n },
      held: 0n,
      loss: 0n,
      durationMs: 9,
      usageSource: "none",
      refusal: null,
      outputClamp: null,
    });
    expect(row.model).toHaveLength(128);
  });

  test("a budget's row has a code that says more than its status", () => {
    expect(refusal(caller, undefined, new Fault("budget_exceeded", "no"), 0).errorCode).toBe(
      "budget_exceeded",
    );
  });
});
