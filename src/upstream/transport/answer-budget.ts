import type { Limits } from "../../config/config.ts";
import { Fault } from "../../lib/faults.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { isLargeLength } from "../../lib/yield-to-loop.ts";

/** Counts the bytes of answers. */
interface AnswerCounter {
  changed(answer: HeldAnswer, bytes: number): MaybePromise<void>;
  left(answer: HeldAnswer): void;
  givenUp(answer: HeldAnswer): void;
}

type AnswerBudgetLimits = Pick<
  Limits,
  "answer_bytes_in_flight_max" | "answer_bytes_account_percent"
>;

/** The part of the budget that the answers of one account have. */
interface Account {
  readonly id: string;
  bytes: number;
  /** How many there are, and those of them that do not wait. */
  held: number;
  going: number;
}

function bufferFull(): Fault {
  return new Fault(
    "overloaded",
    "The gateway holds as many bytes of answers as it may. Try again shortly.",
    {
      headers: { "retry-after": "1" },
    },
  );
}

/** A large answer in memory, from its vendor until its client has taken it. */
export class HeldAnswer {
  readonly #counter: AnswerCounter;
  readonly account: Account;
  /** Those that came earlier have smaller ones. */
  readonly number: number;
  #bytes = 0;
  #grown = 0;
  #isOver = false;
  /** Whether it has weighed anything: nobody waits for one that has not. */
  counts = false;
  /** Set while it waits for the budget. */
  wait: PromiseWithResolvers<void> | undefined;

  constructor(counter: AnswerCounter, account: Account, number: number) {
    this.#counter = counter;
    this.account = account;
    this.number = number;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Sets its size. If the budget cannot take that, the caller has to wait before it makes more. */
  weigh(bytes: number): MaybePromise<void> {
    if (this.#isOver) return;
    const before = this.#bytes;
    this.#bytes = bytes;
    return this.#counter.changed(this, bytes - before);
  }

  /**
   * So much more was read of storage for it. Nobody waits with that in hand: throws where there is no room. As long as it
   * is small, it does not count.
   */
  grow(bytes: number): void {
    this.#grown += bytes;
    if (!isLargeLength(this.#grown)) return;
    const room = this.weigh(this.#grown);
    if (!this.wait) return;
    room?.catch(() => {});
    this.giveUp();
    throw bufferFull();
  }

  /** It is not waited for any longer: who does hears that there was no room. */
  giveUp(): void {
    this.#counter.givenUp(this);
  }

  /** It is gone: taken by its client, or thrown away. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.giveUp();
    this.#counter.left(this);
  }
}

/**
 * The large answers of all requests, as they lie in memory. Beyond their limit vendors are not read on until clients
 * have taken theirs. Were all to wait that are in work, nobody would ever give anything back: then the oldest of them
 * goes on, and it alone, so that there is at most one answer more than there is room for. No account may have more than
 * its share: clients that do not take their answers hold up others of their own account, and nobody else.
 */
export class AnswerBudget implements AnswerCounter {
  readonly #bytesMax: number;
  readonly #shareMax: number;
  readonly #accounts = new Map<string, Account>();
  #bytes = 0;
  /** The same without what accounts have beyond their shares, which is not to be others' loss. */
  #sharedBytes = 0;
  #entered = 0;
  /** Those that do not wait: they are being read, worked on or taken. */
  #going = 0;
  /** Those that wait, the oldest first. */
  #line: HeldAnswer[] = [];

  constructor(limits: AnswerBudgetLimits) {
    this.#bytesMax = limits.answer_bytes_in_flight_max;
    this.#shareMax = (this.#bytesMax * limits.answer_bytes_account_percent) / 100;
  }

  get bytesInFlight(): number {
    return this.#bytes;
  }

  enter(accountId: string): HeldAnswer {
    const account = this.#accounts.get(accountId) ?? { id: accountId, bytes: 0, held: 0, going: 0 };
    this.#accounts.set(accountId, account);
    account.held++;
    return new HeldAnswer(this, account, this.#entered++);
  }

  changed(answer: HeldAnswer, bytes: number): MaybePromise<void> {
    const { account } = answer;
    this.#count(account, bytes);
    if (bytes <= 0) return this.#letOn();
    if (!answer.counts) this.#goes(account, 1);
    answer.counts = true;
    if (this.#fits(account)) return;
    const wait = Promise.withResolvers<void>();
    answer.wait = wait;
    const behind = this.#line.findIndex(({ number }) => number > answer.number);
    this.#line.splice(behind < 0 ? this.#line.length : behind, 0, answer);
    this.#goes(account, -1);
    this.#letOn();
    return wait.promise;
  }

  left({ account, bytes, counts }: HeldAnswer): void {
    this.#count(account, -bytes);
    if (counts) this.#goes(account, -1);
    account.held--;
    if (account.held === 0) this.#accounts.delete(account.id);
    this.#letOn();
  }

  givenUp(answer: HeldAnswer): void {
    if (!answer.wait) return;
    this.#line.splice(this.#line.indexOf(answer), 1);
    this.#goOn(answer).reject(bufferFull());
  }

  #count(account: Account, bytes: number): void {
    const before = Math.min(account.bytes, this.#shareMax);
    account.bytes += bytes;
    this.#bytes += bytes;
    this.#sharedBytes += Math.min(account.bytes, this.#shareMax) - before;
  }

  #goes(account: Account, more: 1 | -1): void {
    account.going += more;
    this.#going += more;
  }

  #fits({ bytes }: Account): boolean {
    return bytes <= this.#shareMax && this.#sharedBytes <= this.#bytesMax;
  }

  /** Whether the oldest of an account goes on though it does not fit, since all others of the account wait for it. */
  #goesAlone({ going }: Account): boolean {
    return going === 0 && (this.#bytes <= this.#bytesMax || this.#going === 0);
  }

  /** All that wait, where there is room: what they have is counted already. */
  #letOn(): void {
    if (this.#line.length === 0) return;
    const line = this.#line;
    this.#line = [];
    for (const answer of line) {
      const { account } = answer;
      if (this.#fits(account) || this.#goesAlone(account)) this.#goOn(answer).resolve();
      else this.#line.push(answer);
    }
  }

  #goOn(answer: HeldAnswer): PromiseWithResolvers<void> {
    const { wait } = answer;
    if (!wait) throw new Error("an answer goes on that does not wait");
    answer.wait = undefined;
    this.#goes(answer.account, 1);
    return wait;
  }
}
