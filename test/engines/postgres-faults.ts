// What may happen to a PostgreSQL that a test has for itself.
import { SQL } from "bun";
import { eventually } from "../support/waiting.ts";
import { signal } from "./signal.ts";

type Process = readonly [pid: number, parent: number];

function processes(): Process[] {
  const { stdout } = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid="]);
  const lines = stdout.toString().trim().split("\n");
  return lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
}

/** A server that can be held still, brought down and cut off. */
export class FaultyPostgres {
  readonly #url: string;
  readonly #server: number;

  private constructor(url: string, server: number) {
    this.#url = url;
    this.#server = server;
  }

  /** `url` is that of a database on it. */
  static async of(url: string): Promise<FaultyPostgres> {
    const child = await checkpointer(url);
    const parent = processes().find(([pid]) => pid === child)?.[1];
    if (parent === undefined) throw new Error("the process of the database was not found");
    return new FaultyPostgres(url, parent);
  }

  /** Nothing of it runs until it is resumed; connections to it stay, and are silent. */
  pause(): void {
    // The server first, or it would make further ones.
    signal(this.#server, "SIGSTOP");
    for (const pid of this.#children()) signal(pid, "SIGSTOP");
  }

  resume(): void {
    for (const pid of [...this.#children(), this.#server]) signal(pid, "SIGCONT");
  }

  #children(): number[] {
    return processes().flatMap(([pid, parent]) => (parent === this.#server ? [pid] : []));
  }

  /** A server of which one process dies like this throws away what all of them share, and starts anew. */
  async crash(): Promise<void> {
    const before = await checkpointer(this.#url);
    const isHit = await this.#killOne();
    if (!isHit) return;
    // Until all are others it may still answer as if nothing had happened.
    await eventually("the database has started anew", () =>
      checkpointer(this.#url).then(
        (pid) => pid !== undefined && pid !== before,
        () => false,
      ),
    );
  }

  /** False where nobody is connected. */
  async #killOne(): Promise<boolean> {
    const own = await this.run<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'faregate' order by pid",
    );
    // The first may have ended since, as all do that were cut off a moment ago.
    return own.some(({ pid }) => signal(pid, "SIGKILL"));
  }

  /** The rows of a statement, on a connection that no fault finds open. */
  run<T>(text: string): Promise<T[]> {
    return once<T>(this.#url, text);
  }

  /** Ends all connections of all instances. */
  async cut(): Promise<void> {
    await once(
      this.#url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'faregate'`,
    );
  }
}

/** A process that a server has from its start on. */
async function checkpointer(url: string): Promise<number | undefined> {
  const text = "select pid from pg_stat_activity where backend_type = 'checkpointer'";
  const [found] = await once<{ pid: number }>(url, text);
  return found?.pid;
}

async function once<T>(url: string, text: string): Promise<T[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.close({ timeout: 0 });
  }
}
