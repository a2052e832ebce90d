import type { OfficeAccess } from "./office-access.ts";
import type { SupervisorWord, WorkerWord } from "./worker-words.ts";

/** One that was not answered is asked again after this; it is known by then whether it has died. */
const DOUBT_MS = 1_000;

/** Says something to the supervisor of this process. */
export function tellSupervisor(word: WorkerWord): void {
  process.send?.(word);
}

/** Answers the supervisor whenever it asks whether this process is alive, as long as its main thread runs. */
export function answerSupervisor(): void {
  process.on("message", ({ kind }: SupervisorWord) => {
    if (kind === "ask") tellSupervisor({ kind: "alive" });
  });
}

/** The office of several gates, which their supervisor keeps. */
export class SupervisedOffice implements OfficeAccess {
  readonly #hasWork: () => Promise<boolean>;
  readonly #asked = new Map<number, PromiseWithResolvers<void>>();
  #nextId = 1;
  #isRunning = false;

  constructor(hasWork: () => Promise<boolean>) {
    this.#hasWork = hasWork;
    process.on("message", (word: SupervisorWord) => this.#hear(word));
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  async take(): Promise<() => void> {
    const id = this.#nextId++;
    const asked = Promise.withResolvers<void>();
    this.#asked.set(id, asked);
    tellSupervisor({ kind: "take", id });
    await asked.promise;
    let isFree = false;
    return () => {
      if (!isFree) tellSupervisor({ kind: "free", id });
      isFree = true;
    };
  }

  async doubt(): Promise<void> {
    await Bun.sleep(DOUBT_MS);
  }

  /** When it may end is for the supervisor to say. */
  async look(): Promise<void> {
    if (await this.#hasWork()) (await this.take())();
  }

  async close(): Promise<void> {}

  abandon(): void {}

  #hear(word: SupervisorWord): void {
    if (word.kind !== "office") return;
    const { id, failure } = word;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    this.#isRunning = failure === undefined;
    if (failure === undefined) asked?.resolve();
    else asked?.reject(new Error(failure));
  }
}
