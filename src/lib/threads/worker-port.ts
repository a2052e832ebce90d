import { inThread, Thread } from "./thread.ts";

type AnyMethod = (...args: never[]) => unknown;
type MethodName<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends AnyMethod ? Name : never;
}[keyof Methods] &
  string;
type Arguments<Method> = Method extends (...args: infer Args) => unknown ? Args : never;
/** A thread answers at once or not at all: what is promised there is no answer. */
type Result<Method> = Method extends (...args: never[]) => infer Value
  ? Value extends PromiseLike<unknown>
    ? never
    : Value
  : never;

/** What several objects can do together. */
export type MethodsOf<Targets extends readonly object[]> = Targets extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & MethodsOf<Rest>
  : unknown;

/** A single text goes flat beside the name: such messages cross to a thread at less than half the price. */
type Asked =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly args: readonly unknown[] };
type Request = { readonly id: number } & Asked;

/** The first reply has id 0: the thread is ready, or it could not be opened. */
interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: string;
}

/** The last thing that a thread is asked. */
const CLOSE = "close";

interface PortOptions {
  readonly worker: Worker;
  readonly settings: object;
  /** Throws while nothing may be asked. */
  check?(): void;
  /** What is said to whoever asks when it has been closed, and when it has ended. */
  readonly closed: string;
  readonly ended: string;
  error(message: string, options?: ErrorOptions): Error;
}

/** The main thread's end of a thread that answers calls of these methods. */
export class WorkerPort<Methods> {
  readonly #thread: Thread<Request, Reply>;
  readonly #options: PortOptions;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #failed = Promise.withResolvers<Error>();
  #nextId = 1;
  #dead: Error | undefined;
  #isEnding = false;
  #closing: Promise<void> | undefined;

  private constructor(options: PortOptions) {
    this.#options = options;
    this.#thread = new Thread(options.worker, options.settings, {
      heard: (reply) => this.#receive(reply),
      ended: (cause) => this.#end(cause),
    });
  }

  /** Resolves when the thread is ready, and rejects with what it could not be opened for. */
  static async open<Methods>(options: PortOptions): Promise<WorkerPort<Methods>> {
    const port = new WorkerPort<Methods>(options);
    const ready = Promise.withResolvers<unknown>();
    port.#pending.set(0, ready);
    try {
      await ready.promise;
    } catch (thrown) {
      await port.end();
      throw thrown;
    }
    return port;
  }

  /** Resolves when the thread has ended unasked. It answers nothing any more. */
  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  call<Name extends MethodName<Methods>>(
    name: Name,
    ...args: Arguments<Methods[Name]>
  ): Promise<Result<Methods[Name]>> {
    const [text] = args as readonly unknown[];
    const isText = args.length === 1 && typeof text === "string";
    try {
      this.#options.check?.();
    } catch (thrown) {
      return Promise.reject(thrown);
    }
    return this.#ask(isText ? { name, text } : { name, args }) as Promise<Result<Methods[Name]>>;
  }

  /** Once it has done what it was asked before, and has closed what it has open. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** At once; what it was asked is rejected. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#end(undefined);
    await this.#thread.end();
  }

  async #close(): Promise<void> {
    if (this.#dead) return;
    this.#isEnding = true;
    const closed = this.#ask({ name: CLOSE, args: [] });
    // What is asked from now on is refused at once; behind the last message it would never be heard.
    this.#dead = this.#options.error(this.#options.closed);
    await closed;
    await this.#thread.end();
  }

  #ask(asked: Asked): Promise<unknown> {
    // A message to a dead thread raises no error and gets no answer.
    if (this.#dead) return Promise.reject(this.#dead);
    const id = this.#nextId++;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(id, answer);
    try {
      this.#thread.send({ id, ...asked });
    } catch (thrown) {
      // What cannot be copied to a thread.
      this.#pending.delete(id);
      answer.reject(thrown);
    }
    return answer.promise;
  }

  #receive({ id, result, failure }: Reply): void {
    const asked = this.#pending.get(id);
    this.#pending.delete(id);
    if (failure === undefined) asked?.resolve(result);
    else asked?.reject(this.#options.error(failure));
  }

  #end(cause: unknown): void {
    const dead = this.#dead ?? this.#options.error(this.#options.ended, { cause });
    this.#dead = dead;
    for (const asked of this.#pending.values()) asked.reject(dead);
    this.#pending.clear();
    if (!this.#isEnding) this.#failed.resolve(dead);
  }
}

export function failureOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A thread's end: a call goes to whichever of the targets has a method of that name. */
interface Opened<Targets extends readonly object[]> {
  readonly targets: Targets;
  close(): void;
}

function answer({ targets, close }: Opened<readonly object[]>, request: Request): unknown {
  const { name } = request;
  if (name === CLOSE) return close();
  const args = "text" in request ? [request.text] : request.args;
  for (const target of targets) {
    const method: unknown = Reflect.get(target, name);
    if (typeof method === "function") return method.apply(target, args);
  }
  throw new Error(`the thread has no "${name}"`);
}

/** In the file of a thread: what it opens by its settings, and what of it the main thread may call. */
export function serveMethods<Settings, Targets extends readonly object[]>(
  open: (settings: Settings) => Opened<Targets>,
): void {
  inThread<Settings, Reply>((settings, port) => {
    let opened: Opened<Targets>;
    try {
      opened = open(settings);
    } catch (thrown) {
      port.post({ id: 0, failure: failureOf(thrown) });
      return;
    }
    port.answer((request: Request) => {
      const { id } = request;
      // Whatever is thrown becomes an answer: a thread that dies would leave everybody hanging.
      try {
        const result = answer(opened, request);
        // It has nothing open: whoever has the thread may give it something else.
        if (request.name === CLOSE) port.startAnew();
        return { id, result };
      } catch (thrown) {
        return { id, failure: failureOf(thrown) };
      }
    });
    port.post({ id: 0 });
  });
}
