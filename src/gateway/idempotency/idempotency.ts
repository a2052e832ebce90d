import type { Limits } from "../../config/config.ts";
import { CLAIM_STATES, type Claim, type Claimant } from "../../conversations/claim.ts";
import type { KeptAnswers } from "../../conversations/kept-answers.ts";
import type { Books } from "../../ledger/books.ts";
import { type Ledger, lateCreditId } from "../../ledger/ledger.ts";
import type { Receipt } from "../../ledger/receipt.ts";
import { Fault } from "../../lib/faults.ts";
import type { HttpResponse } from "../../lib/net/http-response.ts";
import { retryWrite } from "../../lib/retry.ts";
import type { Incoming, LeaveSignal, Sent } from "../../lib/route.ts";
import type { TaskGroup } from "../../lib/threads/task-group.ts";
import { TimeBudget } from "../../lib/threads/time-budget.ts";
import type { Watch, Watchdog } from "../../lib/threads/watchdog.ts";
import type { AnswerBudget } from "../../upstream/transport/answer-budget.ts";
import type { Caller } from "../admitted-request.ts";
import { fromStorage } from "../answering/from-storage.ts";
import { type AnswerRecorder, ClaimRecorder, NO_RECORDER } from "./answer-recorder.ts";
import { claimantOf, IDEMPOTENCY_KEY } from "./asked.ts";
import { replay } from "./replay.ts";

/** How soon those who wait look whether the first has ended; another process may have it. */
const LOOK_FIRST_MS = 10;
const LOOK_MAX_MS = 250;

/**
 * What has become of the request that has a value. One that is silent was interrupted, and nobody has heard of its
 * process since; but it may live.
 */
type Standing = "running" | "answered" | "failed" | "silent";

interface Parts {
  readonly answers: KeptAnswers;
  readonly books: Pick<Books, "findReceipt" | "accountOfEntry">;
  readonly ledger: Pick<Ledger, "takeOver">;
  readonly limits: Limits;
  readonly watchdog: Watchdog;
  readonly tasks: TaskGroup;
  readonly budget: AnswerBudget;
}

function conflict(): Fault {
  return new Fault(
    "idempotency_conflict",
    `This ${IDEMPOTENCY_KEY} was used with another path or body. Send the same again, or another value.`,
    { param: IDEMPOTENCY_KEY },
  );
}

function notKept(receiptId: string): Fault {
  return new Fault(
    "idempotency_not_kept",
    `The request with this ${IDEMPOTENCY_KEY} was answered and charged, but its answer is not kept: it is ` +
      `too large, or had to make room. Its receipt is ${receiptId}. To ask, and pay, again, send another value.`,
    { param: IDEMPOTENCY_KEY, headers: { "x-faregate-receipt": receiptId } },
  );
}

function stillRunning(): Fault {
  return new Fault(
    "idempotency_busy",
    `The first request with this ${IDEMPOTENCY_KEY} is still running. Try again later.`,
    { param: IDEMPOTENCY_KEY, headers: { "retry-after": "1" } },
  );
}

/**
 * One answer for all who ask the same under one `Idempotency-Key`. Who comes first has the value and
 * is answered as ever; the others wait for that answer. Whether there is one is said by the receipt of
 * the first and by nothing else, so what was not charged has not happened.
 */
export class Idempotency {
  readonly #parts: Parts;
  /** Those who wait for one request share one look at it. */
  readonly #looks = new Map<string, Promise<void>>();
  /** Requests whose clients were told that there is no answer, while storage has not forgotten it yet. */
  readonly #dropped = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The first answer again, or the recorder of an answer for the first request. */
  async open(
    caller: Caller,
    incoming: Incoming<Sent>,
    value: string,
    text: string,
  ): Promise<HttpResponse | AnswerRecorder> {
    const { answers, limits } = this.#parts;
    if (!answers.enabled) return NO_RECORDER;
    const claimant = await claimantOf(caller, incoming, value, text);
    try {
      const earlier = await this.#earlier(claimant, incoming, caller.timeBudget);
      if (earlier) return earlier;
    } catch (thrown) {
      // Where storage failed, the claim may have been written although nobody heard so.
      if (!(thrown instanceof Fault)) this.#parts.tasks.run(this.#free(claimant));
      throw thrown;
    }
    return new ClaimRecorder(answers, claimant, limits.idempotency_answer_bytes_max, {
      free: (timeBudget) => this.#free(claimant, timeBudget),
      drop: () => this.#drop(claimant),
    });
  }

  /** Forgets what has been kept for long enough; returns how many. */
  sweep(): Promise<number> {
    return this.#parts.answers.sweep();
  }

  /** The answer to an earlier request that asked the same, once it is there. */
  async #earlier(
    claimant: Claimant,
    incoming: Incoming<Sent>,
    timeBudget: TimeBudget,
  ): Promise<HttpResponse | undefined> {
    const { answers, ledger, limits, watchdog } = this.#parts;
    const giveUpAtMs = watchdog.now() + limits.upstream_total_ms;
    for (;;) {
      const claim = await answers.claim(claimant, timeBudget);
      const { requestId, fingerprint, state } = claim;
      if (requestId === claimant.requestId) return undefined;
      const receipt = await this.#receipt(claim, claimant.accountId, timeBudget);
      const standing = this.#standing(claim, receipt);
      if (receipt && standing === "silent") {
        // Either this is its end, or it has ended by itself meanwhile: what is there now counts.
        await ledger.takeOver(receipt, timeBudget);
        continue;
      }
      const isUnpaid = standing === "answered" && (await this.#isUnpaid(requestId, timeBudget));
      if (standing === "failed" || isUnpaid) {
        // Of those who see this one takes the value next, and the others wait for that one.
        await answers.free(claimant, claim, timeBudget);
        continue;
      }
      if (fingerprint !== claimant.fingerprint) throw conflict();
      if (standing === "running") {
        const { signal } = incoming.request;
        await this.#wait(this.#end(claimant, requestId), signal, giveUpAtMs);
        // That was a wait for an answer, which may take long, and not for storage.
        timeBudget.renew();
        continue;
      }
      if (state === "not_kept") throw notKept(requestId);
      const answer = await fromStorage(this.#parts, incoming, claimant.accountId, (holder) =>
        answers.answer(claimant, requestId, timeBudget, holder),
      );
      if (answer) return replay(answer, requestId);
      // Kept before and after, and not to be had: it was sealed with a secret that is gone.
      const still = await answers.find(claimant, timeBudget);
      if (still?.requestId === requestId && still.state === "kept") throw notKept(requestId);
    }
  }

  #receipt({ requestId }: Claim, accountId: string, timeBudget: TimeBudget) {
    return this.#parts.books.findReceipt(requestId, accountId, undefined, timeBudget);
  }

  #standing(claim: Claim, receipt: Receipt | undefined): Standing {
    // Its charge may be on disk, and not be given back yet.
    if (this.#dropped.has(claim.requestId)) return "failed";
    // One that was not let in yet keeps no answer once another has the value, and without that none is charged.
    if (!receipt) return claim.alive ? "running" : "failed";
    // One that was taken for dead has such a receipt until it ends: where it lives, it will be charged.
    if (receipt.billingReason === "interrupted") return claim.alive ? "running" : "silent";
    return receipt.status === 200 && claim.state !== "running" ? "answered" : "failed";
  }

  /** Whether its client was told that nothing is charged, so that the charge was given back: it has no answer. */
  async #isUnpaid(requestId: string, timeBudget: TimeBudget): Promise<boolean> {
    const { books } = this.#parts;
    return (await books.accountOfEntry(lateCreditId(requestId), timeBudget)) !== undefined;
  }

  /** Resolves when a request does not run any more, or does not have the value any more. */
  #end(claimant: Claimant, requestId: string): Promise<void> {
    const others = this.#looks.get(requestId);
    if (others) return others;
    const look = this.#look(claimant, requestId).finally(() => this.#looks.delete(requestId));
    // All who waited may have left before it fails.
    look.catch(() => {});
    this.#looks.set(requestId, look);
    return look;
  }

  async #look(claimant: Claimant, requestId: string): Promise<void> {
    const { answers, limits } = this.#parts;
    let pauseMs = LOOK_FIRST_MS;
    for (;;) {
      await Bun.sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LOOK_MAX_MS);
      // Each look is as long as one request may wait, whoever waits for it.
      const timeBudget = new TimeBudget(limits.admission_storage_ms);
      const claim = await answers.find(claimant, timeBudget);
      if (claim?.requestId !== requestId) return;
      const receipt = await this.#receipt(claim, claimant.accountId, timeBudget);
      if (this.#standing(claim, receipt) !== "running") return;
    }
  }

  /** Waits for as long as the client does, and no longer than any request may take. */
  #wait(end: Promise<void>, signal: LeaveSignal, dueAtMs: number): Promise<void> {
    const { watchdog } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = () => reject(stillRunning());
    const watch: Watch = { dueAtMs, due: stop };
    end.then(resolve, reject);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    watchdog.add(watch);
    return promise.finally(() => {
      watchdog.drop(watch);
      signal.removeEventListener("abort", stop);
    });
  }

  async #drop(claimant: Claimant): Promise<void> {
    const { answers, watchdog } = this.#parts;
    const { requestId } = claimant;
    this.#dropped.add(requestId);
    const free = async () => {
      for (const state of CLAIM_STATES) await answers.free(claimant, { requestId, state });
    };
    await retryWrite(free, () => watchdog.now(), Number.POSITIVE_INFINITY);
    this.#dropped.delete(requestId);
  }

  async #free(claimant: Claimant, timeBudget?: TimeBudget): Promise<void> {
    const { answers, watchdog, tasks } = this.#parts;
    const running = { requestId: claimant.requestId, state: "running" } as const;
    const free = () => answers.free(claimant, running);
    try {
      await answers.free(claimant, running, timeBudget);
    } catch {
      // While storage is out the value stays taken, and nothing else might ever let go of it.
      tasks.run(retryWrite(free, () => watchdog.now(), Number.POSITIVE_INFINITY));
    }
  }
}
