import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { POSTGRES } from "../../../../test/store/engines.ts";
import {
  admitted,
  credit,
  customer,
  failureOf,
  post,
  raise,
  receipt,
  refusal,
  request,
  SOFT,
  total,
  voidHold,
} from "../../../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../../../test/support/houses/house.ts";
import type { NewKey } from "../../../accounts/account.ts";
import type { AdmissionRequest } from "../../../admission/request.ts";
import { StorageError } from "../../../lib/faults.ts";
import { newId } from "../../../lib/ids.ts";
import type { Operation } from "../../money/operations.ts";
import { writeReceipt } from "../../rows.ts";
import { type Ask, Connections, type Statement } from "../connections.ts";
import { MoneyWriter } from "./money-writer.ts";

/** Sends what was to be sent, or something else. */
type Journey = (statement?: Statement) => Promise<unknown>;

/** No machine is so slow that a test has to do with it. */
const LONG_MS = 600_000;

/** Counts how batches go, and lets something happen on the way of those that were foreseen. */
class WatchedConnections extends Connections {
  asked = 0;
  sent = 0;
  /** What was asked behind the locks. */
  questions = 0;
  /** Instead of one journey. */
  instead: ((journey: Journey, statement: Statement) => Promise<unknown>) | undefined;

  /** For those that ask. */
  isAway = false;

  override moneyTransaction<Found extends readonly unknown[]>(
    reads: readonly Statement[],
    write: (found: Found, ask: Ask) => Statement | undefined | Promise<Statement | undefined>,
    lockMs?: number,
  ): Promise<void> {
    this.asked += 1;
    if (this.isAway) return Promise.reject(lostConnection());
    const counted = (found: Found, ask: Ask) =>
      write(found, (statement) => {
        this.questions += 1;
        return ask(statement);
      });
    return super.moneyTransaction(reads, counted, lockMs);
  }

  override async moneyJourney<Row>(statement: Statement, onSent: () => void): Promise<Row> {
    this.sent += 1;
    const journey: Journey = (other = statement) => super.moneyJourney(other, onSent);
    const { instead } = this;
    this.instead = undefined;
    if (instead) onSent();
    return (await (instead ? instead(journey, statement) : journey())) as Row;
  }
}

function lostConnection(): Error {
  const code = "ERR_POSTGRES_CONNECTION_CLOSED";
  return new SQL.PostgresError("Connection closed", { code });
}

/** As if it had been kept back on its way for longer than it may be. The time is the first that looks like one. */
function decidedEarlier({ text, params }: Statement): Statement {
  const at = params.findIndex((param) => param !== null && /^\d{13}$/.test(param));
  const earlier = (param: string | null, i: number) =>
    i === at ? `${Number(param) - 2 * LONG_MS}` : param;
  return { text, params: params.map(earlier) };
}

function settlement(asked: AdmissionRequest, cost: bigint): Operation {
  const row = writeReceipt(receipt(asked, cost));
  return { kind: "settle", post: true, row };
}

function refusing(made: NewKey): Operation {
  const row = writeReceipt(refusal(request(made, 0n)));
  return { kind: "refuse", row, count: { requests: 0, max: 0 } };
}

describe("a batch that was decided before the database was asked", () => {
  const site = perSuite(POSTGRES.site);
  /** Another process, as far as the writer knows. */
  const store = perSuite(() => site.open());
  const parts = partsOfTest();

  async function writing() {
    const connections = parts.keep(
      new WatchedConnections(String(site.settings.DATABASE_URL), 2, 500),
    );
    const owner = newId("own_");
    await site.run(`insert into owners (id, lease_until) values ('${owner}', 0)`);
    const writer = new MoneyWriter(connections, owner, 1_000, LONG_MS);
    const write = async (op: Operation) => (await writer.write([op]))[0];
    const admit = async (asked: AdmissionRequest) => {
      expect(await write({ kind: "admit", request: asked })).toMatchObject({ kind: "admitted" });
      return asked;
    };
    return { connections, writer, write, admit };
  }

  test("takes one journey, and comes to what one that asks comes to", async () => {
    const { connections, write, admit } = await writing();
    const budgets = [...total(500n), { amount: 400n, period: "month", timeZone: "UTC" } as const];
    const made = await customer(store, { credit: 1_000n, budgets });
    const limits = { requestsPerMinute: 100, tokensPerMinute: 10_000, concurrency: 3 };
    for (let i = 0; i < 5; i += 1) {
      const asked = await admit(request(made, 10n, { limits }));
      expect(await write(settlement(asked, 7n))).toBe("done");
    }
    expect(connections).toMatchObject({ asked: 1, sent: 9 });
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 35n, held: 0n });
    const { budgets: spent } = (await store.ledger.spending(made.id)) ?? {};
    expect(spent?.map(({ used }) => used)).toEqual([35n, 35n]);
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("turns budgets without a question where nothing was charged in the new window", async () => {
    const { connections, write, admit } = await writing();
    const budgets = [{ amount: 400n, period: "day", timeZone: "UTC" } as const];
    const made = await customer(store, { credit: 1_000n, budgets });
    await post(store, await admitted(store, made, 7n), 7n);
    const ago = 2 * 86_400_000;
    await site.damage(`update entries set created_at = created_at - ${ago}`);
    await site.run(`update budgets set window_start = window_start - ${ago},
      resets_at = resets_at - ${ago} where key_id = '${made.id}'`);
    await write(refusing(made));
    await write(refusing(made));
    const asked = await admit(request(made, 10n));
    expect(await write(settlement(asked, 5n))).toBe("done");
    expect(connections).toMatchObject({ questions: 0 });
    const { budgets: spent } = (await store.ledger.spending(made.id)) ?? {};
    expect(spent).toMatchObject([{ used: 5n }]);
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  const LIMITS = { requestsPerMinute: 3, tokensPerMinute: 0, concurrency: 3 };

  const OTHERS: readonly [string, (made: NewKey) => Promise<unknown>, object][] = [
    [
      "spends",
      async (made) => post(store, await admitted(store, made, 50n), 50n),
      { kind: "short", left: 40n },
    ],
    ["holds", (made) => admitted(store, made, 50n), { kind: "wait" }],
    [
      "sets a budget",
      (made) => store.accounts.updateKey(made.id, { budgets: total(60n) }),
      { kind: "short", scope: "budget", left: 50n },
    ],
    [
      "counts requests",
      async (made) => {
        for (let i = 0; i < 2; i += 1) {
          await voidHold(store, await admitted(store, made, 0n, { limits: LIMITS }));
        }
      },
      { kind: "limited", limit: "requests" },
    ],
    [
      "runs requests",
      async (made) => {
        for (let i = 0; i < 3; i += 1) await admitted(store, made, 0n, { countRate: false });
      },
      { kind: "limited", limit: "concurrency" },
    ],
  ];

  test.each(OTHERS)(
    "is not written where another process %s meanwhile",
    async (_, meanwhile, verdict) => {
      const { connections, write, admit } = await writing();
      const made = await customer(store, { credit: 100n, budgets: total(500n) });
      const first = await admit(request(made, 10n, { limits: LIMITS }));
      expect(await write(settlement(first, 10n))).toBe("done");
      expect(connections).toMatchObject({ asked: 1, sent: 1 });
      await meanwhile(made);
      // By what the writer knows it would be let in, or with the credit of before refused for another reason.
      const cost = "left" in verdict && verdict.left === 490n ? 500n : 80n;
      const asked = request(made, cost, { limits: LIMITS, hard: true });
      expect(await write({ kind: "admit", request: asked })).toMatchObject(verdict);
      expect(connections).toMatchObject({ asked: 2, sent: 2 });
      expect(await store.ledger.verify()).toMatchObject({ problems: [] });
    },
  );

  test("is never a refusal, since those who gave credit meanwhile would be told nothing of it", async () => {
    const { connections, write, admit } = await writing();
    const made = await customer(store, { credit: 100n });
    const first = await admit(request(made, 10n));
    expect(await write(settlement(first, 10n))).toBe("done");
    await credit(store, made.accountId, 900n);
    await admit(request(made, 500n, { limits: LIMITS, hard: true }));
    expect(connections).toMatchObject({ asked: 2, sent: 1 });
  });

  test("asks where no connection can be had, and says what is the matter as those do that ask", async () => {
    const { connections, write, admit } = await writing();
    const made = await customer(store, { credit: 100n });
    const first = await admit(request(made, 10n));
    await connections.close();
    expect(await write(settlement(first, 10n))).toBeInstanceOf(StorageError);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n, held: 10n });
  });

  test("is not written where the hold that it ends has been ended by another", async () => {
    const { connections, write, admit } = await writing();
    const made = await customer(store, { credit: 100n });
    const asked = await admit(request(made, 10n));
    await voidHold(store, asked);
    expect(await write(settlement(asked, 7n))).toBe("already");
    expect(connections).toMatchObject({ asked: 2, sent: 1 });
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n, held: 0n });
  });

  test("is not written where the hold that it ends is not what this process has opened", async () => {
    const { connections, write, admit } = await writing();
    const made = await customer(store, { credit: 100n });
    const [asked, other] = [await admit(request(made, 10n)), await admit(request(made, 10n))];
    expect(await raise(store, asked, 20n)).toMatchObject({ kind: "granted" });
    // One that is always asked for, from which the sums of the key are known again.
    const { requestId, accountId, keyId } = other;
    const more = { requestId, accountId, keyId, need: 5n, floor: 5n, ...SOFT };
    expect(await write({ kind: "raise", request: more })).toMatchObject({ kind: "granted" });
    expect(await write(settlement(asked, 7n))).toBe("done");
    expect(connections).toMatchObject({ asked: 3, sent: 2 });
    expect(await write(settlement(other, 7n))).toBe("done");
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 14n, held: 0n });
  });

  test("that comes late is not written, and asked for in its place", async () => {
    const { connections, write, admit } = await writing();
    const made = await customer(store, { credit: 100n });
    const asked = await admit(request(made, 10n));
    connections.instead = (journey, statement) => journey(decidedEarlier(statement));
    expect(await write(settlement(asked, 7n))).toBe("done");
    expect(connections).toMatchObject({ asked: 2, sent: 1 });
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 0n });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  /** The connection is lost when the journey has come to its end. */
  const losing = async (journey: Journey) => {
    await journey();
    throw lostConnection();
  };

  test("whose answer is lost is asked for again, and what it has written is found", async () => {
    const { connections, write, admit } = await writing();
    const made = await customer(store, { credit: 100n });
    const first = await admit(request(made, 10n));
    connections.instead = losing;
    expect(await write(settlement(first, 7n))).toBe("already");
    connections.instead = losing;
    const second = await admit(request(made, 10n));
    expect(connections).toMatchObject({ asked: 3, sent: 2, instead: undefined });
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 10n });
    expect(await write(settlement(second, 7n))).toBe("done");
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 14n, held: 0n });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("that was lost on its way is asked for again, and not written when it arrives after all", async () => {
    const { connections, write, admit } = await writing();
    const made = await customer(store, { credit: 100n });
    const first = await admit(request(made, 10n));
    expect(await write(settlement(first, 7n))).toBe("done");
    let arrive: Journey | undefined;
    connections.instead = async (journey) => {
      arrive = journey;
      throw lostConnection();
    };
    const lost = await admit(request(made, 10n));
    // All is again as it was when it was sent.
    expect(await write({ kind: "cancel", ...lost })).toBeNull();
    expect(await failureOf(arrive?.())).toBeInstanceOf(SQL.PostgresError);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 0n });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("that was lost, and the database with it, fails, and holds nothing when that is back", async () => {
    const { connections, write, admit } = await writing();
    const made = await customer(store, { credit: 100n });
    const first = await admit(request(made, 10n));
    expect(await write(settlement(first, 7n))).toBe("done");
    connections.instead = async (journey) => {
      connections.isAway = true;
      return losing(journey);
    };
    const lost: Operation = { kind: "admit", request: request(made, 10n) };
    expect(await write(lost)).toBeInstanceOf(StorageError);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 10n });
    connections.isAway = false;
    const next = await admit(request(made, 20n));
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 20n });
    expect(await write(settlement(next, 7n))).toBe("done");
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("says nothing of others that are in it with one that was written before", async () => {
    const { connections, writer, write, admit } = await writing();
    const made = await customer(store, { credit: 100n });
    const [one, other] = [await admit(request(made, 10n)), await admit(request(made, 10n))];
    connections.instead = async (journey) => {
      connections.isAway = true;
      return losing(journey);
    };
    expect(await write(settlement(one, 7n))).toBeInstanceOf(StorageError);
    connections.isAway = false;
    await admit(request(made, 10n));
    connections.instead = () => Promise.reject(lostConnection());
    const ends = [settlement(one, 7n), settlement(other, 7n)];
    expect(await writer.write(ends)).toEqual(["already", "done"]);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 14n, held: 10n });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("is left to those that ask where others write to the same account time and again", async () => {
    const { connections, write, admit } = await writing();
    const made = await customer(store, { credit: 10_000n });
    for (let i = 0; i < 40; i += 1) {
      const asked = await admit(request(made, 10n));
      await post(store, await admitted(store, made, 10n), 10n);
      expect(await write(settlement(asked, 10n))).toBe("done");
    }
    expect(connections.sent).toBeLessThan(20);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 800n, held: 0n });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });
});
