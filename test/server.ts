import { parseUsd } from "../src/catalogue/money.ts";
import { type CommandContext, withStore } from "../src/cli/context.ts";
import { readKeySettings } from "../src/cli/key.ts";
import { readConfig } from "../src/config/config.ts";
import { newId } from "../src/lib/ids.ts";
import { entryFor, environment, typed } from "./cli/commands.ts";
import { serveHere } from "./support/houses/served-here.ts";

/** For a machine that has much else to do; a server that comes near it hangs. */
const START_MS = 180_000;
const { FAREGATE_TRANSPORT = "" } = process.env;
/** Whoever runs the tests may say by which transport vendors are called. */
const SETTINGS = { FAREGATE_PORT: "0", FAREGATE_LOG: "error", FAREGATE_TRANSPORT };

/** The database beside a server, open until it is closed. */
interface Beside {
  readonly context: Promise<CommandContext>;
  close(): Promise<void>;
}

function openBeside(settings: Record<string, string>): Beside {
  const opened = Promise.withResolvers<CommandContext>();
  const leaving = Promise.withResolvers<void>();
  const closed = withStore(readConfig(settings), (context) => {
    opened.resolve(context);
    return leaving.promise;
  });
  closed.catch(opened.reject);
  const close = () => {
    leaving.resolve();
    return closed;
  };
  return { context: opened.promise, close };
}

/** What a server runs as: a process, or a part of this one. */
interface Running {
  /** What the server printed when it was ready. */
  readonly greeting: string;
  /** What it wrote to its log; resolves when it has ended. */
  readonly errors: Promise<string>;
  readonly process?: Bun.Subprocess;
  /** What it works with itself, where it is a part of this process and runs. */
  context?(): CommandContext | undefined;
  stop(): Promise<number>;
  /** kill -9, where it is a process. */
  kill(): Promise<void>;
}

async function runProcess(
  settings: Record<string, string>,
  command: "serve" | "platform",
): Promise<Running> {
  const child = Bun.spawn([process.execPath, entryFor(settings), command], {
    env: environment(settings),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = new Response(child.stderr).text();
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), START_MS);
  const greeting = await Promise.race([readGreeting(child.stdout), late.promise]);
  clearTimeout(timer);
  if (!greeting) {
    child.kill("SIGKILL");
    throw new Error(`the server did not start: ${await errors}`);
  }
  const end = (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    return child.exited;
  };
  return {
    ...{ greeting, errors, process: child },
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}

/** A real `faregate serve` on a free port, in a process of its own unless told. */
export class TestServer {
  readonly #running: Running;
  readonly #settings: Record<string, string>;
  #staysBeside = false;
  #beside: Beside | undefined;
  /** Up to and including `/v1`. */
  readonly url: string;

  private constructor(running: Running, settings: Record<string, string>) {
    this.#running = running;
    this.#settings = settings;
    this.url = /http:\/\/[^\s]+\/v1/.exec(running.greeting)?.[0] ?? "";
  }

  /** `settings` must name FAREGATE_DATA or DATABASE_URL. */
  static async start(
    settings: Record<string, string>,
    command: "serve" | "platform" = "serve",
  ): Promise<TestServer> {
    const all = { ...SETTINGS, ...settings };
    return new TestServer(await runProcess(all, command), all);
  }

  /** As a part of this process, for suites that neither kill it nor look at it from outside. */
  static async startHere(settings: Record<string, string>): Promise<TestServer> {
    const all = { ...SETTINGS, ...settings };
    return new TestServer(await serveHere(environment(all)), all);
  }

  get greeting(): string {
    return this.#running.greeting;
  }

  get #process(): Bun.Subprocess {
    const { process: child } = this.#running;
    if (!child) throw new Error("this server has no process of its own: start it with one");
    return child;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** The key of a first start. */
  get firstKey(): string {
    return /sk-fg-[A-Za-z0-9]+/.exec(this.greeting)?.[0] ?? "";
  }

  /** What it wrote to its log; resolves when it has ended. */
  get errors(): Promise<string> {
    return this.#running.errors;
  }

  /** A command beside the running server, its `--json` answer parsed. */
  async command<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const result = await typed([...args, "--json"], this.#settings);
    if (result.code !== 0) throw new Error(`faregate ${args.join(" ")}: ${result.stderr}`);
    return JSON.parse(result.stdout) as T;
  }

  /** Work on the server's own database, beside it, as a command would do it. */
  async beside<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
    if (!this.#staysBeside) return withStore(readConfig(this.#settings), work);
    this.#beside ??= openBeside(this.#settings);
    return work(await this.#beside.context);
  }

  /** The same where it makes no difference by whom it is done: in the server, if it is a part of this process. */
  within<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
    const context = this.#running.context?.();
    return context ? work(context) : this.beside(work);
  }

  /**
   * Opens the database beside it once for all that is done there, until it ends: that takes longer than the work
   * itself. Not for a server that is killed, since whoever has a file open keeps it from being recovered.
   */
  stayBeside(): this {
    this.#staysBeside = true;
    return this;
  }

  async #leaveBeside(): Promise<void> {
    this.#staysBeside = false;
    await this.#beside?.close();
    this.#beside = undefined;
  }

  /** An account with this much money and a key of it, its settings said as on the command line. */
  account(
    dollars: string,
    ...keySettings: string[]
  ): Promise<{ accountId: string; keyId: string; key: string }> {
    return this.within(async ({ accounts, store }) => {
      const { id: accountId } = await accounts.createAccount("t");
      const credit = { id: newId("top_"), accountId, kind: "topup", note: "t" } as const;
      const amount = parseUsd(dollars) ?? 0n;
      if (amount > 0n) await store.ledger.credit({ ...credit, amount, createdAtMs: Date.now() });
      const settings = { ...readKeySettings(keySettings), name: "t" };
      const created = await accounts.createKey(accountId, settings);
      if (!created) throw new Error("there is no account for the key");
      return { accountId, keyId: created.id, key: created.key };
    });
  }

  /** A request below `/v1`. */
  fetch(path: string, key: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (key) headers.set("authorization", `Bearer ${key}`);
    return fetch(this.url + path, { ...init, headers });
  }

  post(
    path: string,
    key: string,
    body: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    return this.fetch(path, key, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  }

  async stop(): Promise<number> {
    await this.#leaveBeside();
    return this.#running.stop();
  }

  /** Nothing of it runs until it is resumed or killed. */
  pause(): void {
    this.#process.kill("SIGSTOP");
  }

  resume(): void {
    this.#process.kill("SIGCONT");
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#leaveBeside();
    await this.#running.kill();
  }
}

async function readGreeting(stdout: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  const reader = stdout.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return undefined;
    text += decoder.decode(value, { stream: true });
    // The greeting is one write; its last line says how to stop, or where it serves.
    if (/Ctrl-C stops|serves http/.test(text)) return text;
  }
}
