// What becomes of an Idempotency-Key at every point where things can stop, on both databases, with a clock
// that the test moves.
import { expect, test } from "bun:test";
import { readConfig } from "../../src/config/config.ts";
import { KeptAnswers } from "../../src/conversations/kept-answers.ts";
import type { Caller } from "../../src/gateway/admitted-request.ts";
import { ClaimRecorder } from "../../src/gateway/idempotency/answer-recorder.ts";
import { Idempotency } from "../../src/gateway/idempotency/idempotency.ts";
import { Ledger, lateCreditId } from "../../src/ledger/ledger.ts";
import { Fault, StorageError } from "../../src/lib/faults.ts";
import { HttpResponse } from "../../src/lib/net/http-response.ts";
import type { Incoming } from "../../src/lib/route.ts";
import { TaskGroup } from "../../src/lib/threads/task-group.ts";
import { TimeBudget } from "../../src/lib/threads/time-budget.ts";
import { Watchdog } from "../../src/lib/threads/watchdog.ts";
import type { Store } from "../../src/store/store.ts";
import { AnswerBudget } from "../../src/upstream/transport/answer-budget.ts";
import { onEngines, POSTGRES } from "../store/engines.ts";
import { admitted, customer, post, receipt, voidHold } from "../store/samples.ts";
import { perSuite } from "../support/houses/house.ts";
import { eventually } from "../support/waiting.ts";

const { limits } = readConfig({});
const ROUNDS = 16;
type KeptAnswerStore = Store["keptAnswers"];
type Books = Store["ledger"];

/** One process's half of it, with storage that a test may spoil. */
function open(
  store: Store,
  spoil: Partial<KeptAnswerStore> = {},
  findReceipt: Books["findReceipt"] = (...args) => store.ledger.findReceipt(...args),
) {
  const time = { nowMs: 1_794_800_000_000 };
  const clock = () => time.nowMs;
  const answers = new KeptAnswers({ ...bound(store.keptAnswers), ...spoil }, limits, clock, true);
  // It ticks only when it is told to.
  const watchdog = new Watchdog(clock, 3_600_000);
  const tasks = new TaskGroup((thrown) => {
    throw thrown;
  });
  const accountOfEntry: Books["accountOfEntry"] = (...args) => store.ledger.accountOfEntry(...args);
  const books = { findReceipt, accountOfEntry };
  const ledger = new Ledger(store.ledger, limits, { clock, steady: clock }, tasks);
  const budget = new AnswerBudget(limits);
  const parts = { answers, books, ledger, limits, watchdog, tasks, budget };
  const idempotency = new Idempotency(parts);
  return { idempotency, watchdog, tasks, time };
}

function bound(kept: KeptAnswerStore): KeptAnswerStore {
  return {
    claim: (...args) => kept.claim(...args),
    findClaim: (...args) => kept.findClaim(...args),
    keepAnswer: (...args) => kept.keepAnswer(...args),
    findAnswer: (...args) => kept.findAnswer(...args),
    freeClaim: (...args) => kept.freeClaim(...args),
    sweepAnswers: (...args) => kept.sweepAnswers(...args),
  };
}

/** The storage of a process to which the one of this request seems dead. */
function withoutLife(store: Store, requestId: string): Partial<KeptAnswerStore> {
  return {
    async claim(...args) {
      const claim = await store.keptAnswers.claim(...args);
      return claim.requestId === requestId ? { ...claim, alive: false } : claim;
    },
  };
}

type Process = ReturnType<typeof open>;

onEngines("an Idempotency-Key on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());
  const holder = perSuite(() => customer(store, { credit: 1_000_000n }));

  /** A request with its hold, as it asks under a value. */
  async function request(process: Process, value: string, signal?: AbortSignal) {
    const held = await admitted(store, holder, 10n);
    const timeBudget = new TimeBudget(limits.admission_storage_ms);
    const caller = { requestId: held.requestId, key: holder, timeBudget } as unknown as Caller;
    const asked = new Request("http://gateway.invalid/v1/responses", {
      method: "POST",
      ...(signal ? { signal } : {}),
    });
    const incoming = { request: asked, url: new URL(asked.url) } as Incoming;
    return { held, outcome: process.idempotency.open(caller, incoming, value, "{}") };
  }

  /** A request that must be the first. */
  async function first(process: Process, value: string) {
    const { held, outcome } = await request(process, value);
    const recorder = await outcome;
    if (!(recorder instanceof ClaimRecorder)) throw new Error("another was first");
    return { held, recorder, keep: () => recorder.keep(Buffer.from(held.requestId)) };
  }

  /** What a request hears: whose answer it gets, or that it is the first. */
  async function hears(process: Process, value: string): Promise<string> {
    const { held, outcome } = await request(process, value);
    const heard = await outcome;
    if (heard instanceof HttpResponse) {
      await voidHold(store, held);
      return heard.response().text();
    }
    await heard.keep(Buffer.from(held.requestId));
    await post(store, held, 1n);
    return "it is the first";
  }

  test("is answered for 24 hours, and then is free", async () => {
    const here = open(store);
    const one = await first(here, "a day");
    await one.keep();
    await post(store, one.held, 5n);
    expect(await hears(here, "a day")).toBe(one.held.requestId);
    here.time.nowMs += 24 * 3_600_000 - 1;
    await here.idempotency.sweep();
    expect(await hears(here, "a day")).toBe(one.held.requestId);
    here.time.nowMs += 1;
    expect(await hears(here, "a day")).toBe("it is the first");

    const two = await first(here, "another day");
    await two.keep();
    await post(store, two.held, 5n);
    here.time.nowMs += 24 * 3_600_000;
    expect(await here.idempotency.sweep()).toBeGreaterThan(0);
    const name = { keyId: holder.id, value: "another day" };
    expect(await store.keptAnswers.findClaim(name)).toBeUndefined();
  });

  test("waits while an answer is kept and not settled", async () => {
    const here = open(store);
    const one = await first(here, "unsettled");
    await one.keep();
    const waiting = hears(here, "unsettled");
    await Bun.sleep(50);
    await post(store, one.held, 5n);
    expect(await waiting).toBe(one.held.requestId);
  });

  /** One whose answer is kept, and whose hold was voided because its process seemed dead. */
  async function takenForDead(process: Process, value: string) {
    const one = await first(process, value);
    await one.keep();
    const taken = { ...receipt(one.held, 0n), status: 500, billingReason: "interrupted" } as const;
    await store.ledger.settle({ kind: "void", receipt: taken });
    return one;
  }

  /** What its receipt says, and what of the account's money is gone. */
  async function paid({ requestId, accountId }: { requestId: string; accountId: string }) {
    const found = await store.ledger.findReceipt(requestId, accountId);
    const charged = (await store.ledger.balance(accountId))?.charged;
    return { reason: found?.billingReason, cost: found?.charge.amount, charged };
  }

  test("waits for one that was taken for dead and lives, which is charged when it ends", async () => {
    const here = open(store);
    const one = await takenForDead(here, "taken for dead");
    const waiting = hears(here, "taken for dead");
    await Bun.sleep(50);
    expect(await post(store, one.held, 5n)).toBe("done");
    expect(await waiting).toBe(one.held.requestId);
  });

  test("is paid once where one that was taken for dead goes on when another has its place", async () => {
    const one = await takenForDead(open(store), "in its place");
    const { charged: before = 0n } = await paid(one.held);
    const elsewhere = open(store, withoutLife(store, one.held.requestId));
    expect(await hears(elsewhere, "in its place")).toBe("it is the first");
    expect(await post(store, one.held, 5n)).toBe("already");
    expect(await voidHold(store, one.held)).toBe("already");
    const charged = before + 1n;
    expect(await paid(one.held)).toEqual({ reason: "taken_over", cost: 0n, charged });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("is answered by one that was taken for dead and ends just before another takes its place", async () => {
    const one = await takenForDead(open(store), "just in time");
    const { requestId } = one.held;
    const elsewhere = open(store, withoutLife(store, requestId), async (id, ...rest) => {
      const found = await store.ledger.findReceipt(id, ...rest);
      if (id === requestId) await post(store, one.held, 5n);
      return found;
    });
    expect(await hears(elsewhere, "just in time")).toBe(requestId);
    expect(await paid(one.held)).toMatchObject({ reason: "completed", cost: 5n });
  });

  test("is paid once, whoever comes first: one that was taken for dead, or who takes its place", async () => {
    // Only one process at a time has the books of a folder.
    const other = engine === POSTGRES ? await site.open() : store;
    for (let round = 0; round < ROUNDS; round++) {
      const value = `both at once ${round}`;
      const one = await takenForDead(open(store), value);
      const elsewhere = open(other, withoutLife(other, one.held.requestId));
      const both = await Promise.all([post(store, one.held, 5n), hears(elsewhere, value)]);
      const { reason } = await paid(one.held);
      if (both[0] === "done")
        expect([...both, reason]).toEqual(["done", one.held.requestId, "completed"]);
      else expect([...both, reason]).toEqual(["already", "it is the first", "taken_over"]);
    }
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("is free where an answer was kept but its settlement failed", async () => {
    const here = open(store);
    const one = await first(here, "voided");
    await one.keep();
    const waiting = hears(here, "voided");
    await Bun.sleep(50);
    await voidHold(store, one.held);
    expect(await waiting).toBe("it is the first");
  });

  test("is free where the charge came too late and was given back: nobody has paid for that answer", async () => {
    const here = open(store);
    const one = await first(here, "given back late");
    await one.keep();
    await post(store, one.held, 5n);
    const { requestId, accountId } = one.held;
    await store.ledger.credit({
      ...{ id: lateCreditId(requestId), accountId, amount: 5n, kind: "restore", note: "" },
      createdAtMs: here.time.nowMs,
    });
    expect(await hears(here, "given back late")).toBe("it is the first");
  });

  test("is free where a request ended without an answer, though nobody said so", async () => {
    const here = open(store);
    const one = await first(here, "silent");
    await voidHold(store, one.held);
    expect(await hears(here, "silent")).toBe("it is the first");
    // Settled in full, but its client had left: there is no answer to give.
    const two = await first(here, "left");
    await post(store, two.held, 5n);
    expect(await hears(here, "left")).toBe("it is the first");
  });

  test("makes nobody wait for longer than a request may take", async () => {
    const here = open(store);
    const one = await first(here, "slow");
    const { held, outcome } = await request(here, "slow");
    const told = outcome.catch((thrown: unknown) => thrown);
    await eventually("it waits", () => here.watchdog.size === 1);
    here.time.nowMs += limits.upstream_total_ms - 1;
    here.watchdog.tick();
    expect(here.watchdog.size).toBe(1);
    here.time.nowMs += 1;
    here.watchdog.tick();
    const fault = (await told) as Fault;
    expect([fault.fault, fault.status, fault.retry]).toEqual(["idempotency_busy", 409, true]);
    expect(here.watchdog.size).toBe(0);
    await voidHold(store, held);
    await voidHold(store, one.held);
  });

  test("lets go of who has left, and of who left before", async () => {
    const here = open(store);
    const one = await first(here, "patience");
    const leaving = new AbortController();
    const { held, outcome } = await request(here, "patience", leaving.signal);
    const told = outcome.catch((thrown: unknown) => thrown);
    await eventually("it waits", () => here.watchdog.size === 1);
    leaving.abort();
    expect(await told).toMatchObject({ fault: "idempotency_busy" });
    const late = await request(here, "patience", leaving.signal);
    expect(await late.outcome.catch((thrown: unknown) => thrown)).toBeInstanceOf(Fault);
    expect(here.watchdog.size).toBe(0);
    await one.keep();
    await post(store, one.held, 5n);
    expect(await hears(here, "patience")).toBe(one.held.requestId);
    for (const each of [held, late.held]) await voidHold(store, each);
  });

  test("is not kept from others by a claim whose reply was lost", async () => {
    let lost = 0;
    const here = open(store, {
      async claim(...args) {
        const claim = await store.keptAnswers.claim(...args);
        if (lost++ === 0) throw new StorageError("the connection is gone");
        return claim;
      },
      async freeClaim(...args) {
        if (lost++ < 3) throw new StorageError("the connection is gone");
        await store.keptAnswers.freeClaim(...args);
      },
    });
    const { held, outcome } = await request(here, "lost");
    expect(await outcome.catch((thrown: unknown) => thrown)).toBeInstanceOf(StorageError);
    await here.tasks.settled();
    const name = { keyId: holder.id, value: "lost" };
    expect(await store.keptAnswers.findClaim(name)).toBeUndefined();
    await voidHold(store, held);
  });

  test("cannot be kept by who has lost it", async () => {
    const here = open(store);
    const one = await first(here, "taken over");
    here.time.nowMs += 2 * limits.idempotency_keep_ms;
    const two = await first(here, "taken over");
    const told = await one.keep().catch((thrown: unknown) => thrown);
    expect(told).toMatchObject({ fault: "storage_unavailable" });
    await two.keep();
    await post(store, two.held, 5n);
    expect(await hears(here, "taken over")).toBe(two.held.requestId);
    await voidHold(store, one.held);
  });

  test("is freed by who has it, unless an answer is kept", async () => {
    const here = open(store);
    const one = await first(here, "given back");
    await one.recorder.free();
    const two = await first(here, "given back");
    await two.keep();
    await two.recorder.free();
    await post(store, two.held, 5n);
    expect(await hears(here, "given back")).toBe(two.held.requestId);
    await voidHold(store, one.held);
  });

  test("has one look for all who wait", async () => {
    let [looking, most] = [0, 0];
    const here = open(store, {
      async findClaim(...args) {
        most = Math.max(most, ++looking);
        const claim = await store.keptAnswers.findClaim(...args);
        looking--;
        return claim;
      },
    });
    const one = await first(here, "crowd");
    const crowd = await Promise.all(Array.from({ length: 20 }, () => request(here, "crowd")));
    await eventually("all wait", () => here.watchdog.size === 20);
    await one.keep();
    await post(store, one.held, 5n);
    const heard = await Promise.all(crowd.map(({ outcome }) => outcome));
    for (const each of heard)
      expect(await (each as HttpResponse).response().text()).toBe(one.held.requestId);
    expect(most).toBe(1);
    for (const { held } of crowd) await voidHold(store, held);
  });
});
