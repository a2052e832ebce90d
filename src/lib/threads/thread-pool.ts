import { type Ears, Thread } from "./thread.ts";

export interface PoolLimits {
  /** Threads that work side by side; each is started when it is first needed. */
  readonly threadsMax: number;
  /** A piece of work that takes longer ends its thread. */
  readonly workMs: number;
  /** A thread without work ends after so long. */
  readonly idleMs: number;
  /** Pieces of work that wait, of everybody, and of one name with the one that is being done. */
  readonly waitingMax: number;
  readonly perNameMax: number;
}

/** Threads that work or have not stopped yet, for each that may work. */
const ALIVE_PER_WORKING = 2;

/** What a thread of a pool answers to a piece of work. */
interface PoolReply<Result> {
  readonly result?: Result;
  /** What was thrown, as one line. */
  readonly failure?: string;
}

interface Work<Task, Result> {
  readonly name: string;
  readonly task: Task;
  readonly handedOver: readonly ArrayBuffer[] | undefined;
  readonly done: PromiseWithResolvers<Result>;
}

/** Nobody has been given this work: so much of it waits already. */
export class PoolFull extends Error {
  override readonly name = "PoolFull";

  constructor() {
    super("too much work waits for the threads");
  }
}

/** The work took longer than any may, and was ended with its thread. */
export class WorkTooSlow extends Error {
  override readonly name = "WorkTooSlow";

  constructor() {
    super("the work took too long and was ended");
  }
}

/** One thread of a pool, and who listens to it at the moment. */
class Hand<Task, Result> {
  readonly #thread: Thread<Task, PoolReply<Result>>;
  #ears: Ears<PoolReply<Result>> | undefined;
  #idle: Timer | undefined;

  constructor(file: URL) {
    const worker = new Worker(file);
    // Whoever waits for an answer keeps the process alive; a thread that rests need not.
    worker.unref();
    this.#thread = new Thread<Task, PoolReply<Result>>(worker, undefined, {
      heard: (reply) => this.#ears?.heard(reply),
      ended: (cause) => this.#ears?.ended(cause),
    });
  }

  take({ task, handedOver }: Work<Task, Result>, ears: Ears<PoolReply<Result>>): void {
    clearTimeout(this.#idle);
    this.#ears = ears;
    this.#thread.send(task, handedOver);
  }

  /** Until it is given work again; `over` is called after `idleMs`, or when it has died. */
  rest(idleMs: number, over: () => void): void {
    this.#ears = { heard() {}, ended: over };
    this.#idle = setTimeout(over, idleMs);
    this.#idle.unref();
  }

  end(): Promise<void> {
    clearTimeout(this.#idle);
    return this.#thread.end();
  }
}

/**
 * Threads for work that may take long, so that the loop which relays bytes never waits for it. Work
 * is done in the order of asking, but for one name only one piece at a time: nobody can keep all
 * threads busy. A thread that does not finish in time is ended, and the next one begins anew.
 */
export class ThreadPool<Task, Result> {
  readonly #file: URL;
  readonly #limits: PoolLimits;
  readonly #resting: Hand<Task, Result>[] = [];
  readonly #busy = new Set<Hand<Task, Result>>();
  readonly #ending = new Set<Promise<void>>();
  /** Names whose work a thread has, until it is done or the thread has ended with it. */
  readonly #served = new Set<string>();
  #waiting: Work<Task, Result>[] = [];
  #closed = false;

  constructor(file: URL, limits: PoolLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Threads that are there at the moment, those too that are asked to end and have not. */
  get threads(): number {
    return this.#resting.length + this.#busy.size + this.#ending.size;
  }

  /**
   * Rejects with `PoolFull`, `WorkTooSlow`, or what went wrong in the thread. Memory that is handed over goes to the
   * thread as it is; nobody here has it any more.
   */
  run(name: string, task: Task, handedOver?: readonly ArrayBuffer[]): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    const { waitingMax, perNameMax } = this.#limits;
    const same = this.#waiting.filter((work) => work.name === name).length;
    const ofName = same + (this.#served.has(name) ? 1 : 0);
    if (this.#closed || this.#waiting.length >= waitingMax || ofName >= perNameMax) {
      done.reject(this.#closed ? new Error("the threads are closed") : new PoolFull());
    } else {
      this.#waiting.push({ name, task, handedOver, done });
      this.#next();
    }
    return done.promise;
  }

  /** Ends every thread; what is being done or waits is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { done } of this.#waiting) done.reject(new Error("the threads are closed"));
    this.#waiting = [];
    for (const hand of [...this.#resting, ...this.#busy]) this.#end(hand);
    this.#resting.length = 0;
    await Promise.all(this.#ending);
  }

  /** Gives out as much of what waits as there are threads for. */
  #next(): void {
    for (;;) {
      if (this.#isCrowded()) return;
      const at = this.#waiting.findIndex(({ name }) => !this.#served.has(name));
      const [work] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!work) return;
      this.#give(this.#resting.pop() ?? new Hand(this.#file), work);
    }
  }

  /**
   * A thread is ended between two steps of the language, and one step, such as an expression that
   * backtracks, may take seconds. Others need not wait for that, as long as few such threads are there.
   */
  #isCrowded(): boolean {
    const { threadsMax } = this.#limits;
    const alive = this.#busy.size + this.#ending.size;
    return this.#busy.size >= threadsMax || alive >= ALIVE_PER_WORKING * threadsMax;
  }

  #give(hand: Hand<Task, Result>, work: Work<Task, Result>): void {
    const { name, done } = work;
    this.#busy.add(hand);
    this.#served.add(name);
    const late = setTimeout(() => {
      done.reject(new WorkTooSlow());
      this.#end(hand);
      this.#next();
    }, this.#limits.workMs);
    hand.take(work, {
      heard: ({ result, failure }) => {
        clearTimeout(late);
        if (failure === undefined) done.resolve(result as Result);
        else done.reject(new Error(failure));
        this.#release(hand, name);
      },
      // A message to a dead thread raises no error and gets no answer; only its end is heard.
      ended: (cause) => {
        clearTimeout(late);
        done.reject(new Error("the thread has ended", { cause }));
        this.#busy.delete(hand);
        this.#served.delete(name);
        this.#next();
      },
    });
  }

  #release(hand: Hand<Task, Result>, name: string): void {
    // An answer that was on its way when the time was up comes from a thread that is ending.
    if (!this.#busy.delete(hand)) return;
    this.#served.delete(name);
    this.#resting.push(hand);
    hand.rest(this.#limits.idleMs, () => {
      const at = this.#resting.indexOf(hand);
      if (at < 0) return;
      this.#resting.splice(at, 1);
      this.#end(hand);
    });
    this.#next();
  }

  /** From now on another may work in its place, however long it takes to stop; its name waits for that. */
  #end(hand: Hand<Task, Result>): void {
    this.#busy.delete(hand);
    const ending = hand.end();
    this.#ending.add(ending);
    void ending.then(() => {
      this.#ending.delete(ending);
      this.#next();
    });
  }
}
