import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseUsd } from "../src/catalogue/money.ts";
import { type CommandContext, withStore } from "../src/cli/context.ts";
import { readKeySettings } from "../src/cli/key.ts";
import { readConfig } from "../src/config.ts";
import { newId } from "../src/lib/ids.ts";
import { ENTRY, environment, typed } from "./commands.ts";

/** For a machine that has much else to do; a server that comes near it hangs. */
const START_MS = 180_000;

/** A folder of its own for a test, and the way to remove it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "faregate-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

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

/** A real `faregate serve` in a process of its own, on a free port. */
export class TestServer {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly #settings: Record<string, string>;
  readonly #errors: Promise<string>;
  #staysBeside = false;
  #beside: Beside | undefined;
  /** Up to and including `/v1`. */
  readonly url: string;
  /** What the server printed when it was ready. */
  readonly greeting: string;

  private constructor(
    child: Bun.Subprocess<"ignore", "pipe", "pipe">,
    settings: Record<string, string>,
    errors: Promise<string>,
    greeting: string,
  ) {
    this.#child = child;
    this.#settings = settings;
    this.#errors = errors;
    this.greeting = greeting;
    this.url = /http:\/\/[^\s]+\/v1/.exec(greeting)?.[0] ?? "";
  }

  /** `settings` must name FAREGATE_DATA or DATABASE_URL. */
  static async start(
    settings: Record<string, string>,
    command: "serve" | "platform" = "serve",
  ): Promise<TestServer> {
    const all = { FAREGATE_PORT: "0", FAREGATE_LOG: "error", ...settings };
    const child = Bun.spawn([process.execPath, ENTRY, command], {
      env: environment(all),
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
    return new TestServer(child, all, errors, greeting);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The key of a first start. */
  get firstKey(): string {
    return /sk-fg-[A-Za-z0-9]+/.exec(this.greeting)?.[0] ?? "";
  }

  /** What the process wrote to standard error; resolves when it has ended. */
  get errors(): Promise<string> {
    return this.#errors;
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
    return this.beside(async ({ accounts, store }) => {
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
    this.#child.kill("SIGTERM");
    return this.#child.exited;
  }

  /** Nothing of it runs until it is resumed or killed. */
  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#leaveBeside();
    this.#child.kill("SIGKILL");
    await this.#child.exited;
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
