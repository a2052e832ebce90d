import { every } from "../../lib/clock.ts";
import type { OrphanRow } from "../money/interrupted.ts";
import { HOLD_COLUMNS } from "../money/money-rows.ts";
import { NOW_MS_SQL, type Run } from "./connections.ts";

/** A process that has not been heard of for so long is dead, by the clock of the database. */
const LEASE_MS = 20_000;
const HEARTBEAT_MS = 5_000;
const RATE_SECONDS_KEPT = 120;

const BEAT_SQL = `
  insert into owners (id, lease_until) values ($1, ${NOW_MS_SQL} + ${LEASE_MS})
  on conflict (id) do update set lease_until = excluded.lease_until`;

const SWEEP_RATES_SQL = `
  delete from rate_seconds where second < ${NOW_MS_SQL} / 1000 - ${RATE_SECONDS_KEPT}`;

const ORPHANS_SQL = `
  select ${HOLD_COLUMNS.join(", ")} from holds h where h.owner <> $1 and not exists (
    select 1 from owners o where o.id = h.owner and o.lease_until > ${NOW_MS_SQL}
  ) order by h.id limit 256`;

const FORGET_OWNERS_SQL = `
  delete from owners o where o.lease_until < ${NOW_MS_SQL} and o.id <> $1
  and not exists (select 1 from holds h where h.owner = o.id)`;

/** What a serving process does now and then to be seen as alive, and to clean up behind it. */
export class Lease {
  readonly #run: Run;
  readonly #owner: string;
  readonly #stop: () => void;
  #running: Promise<void> = Promise.resolve();

  private constructor(run: Run, owner: string) {
    this.#run = run;
    this.#owner = owner;
    this.#stop = every(HEARTBEAT_MS, () => {
      this.#running = this.#running.then(() => this.#tick());
    });
  }

  static async take(run: Run, owner: string): Promise<Lease> {
    await run(BEAT_SQL, [owner]);
    return new Lease(run, owner);
  }

  async #tick(): Promise<void> {
    try {
      await this.#run(BEAT_SQL, [this.#owner]);
      await this.#run(SWEEP_RATES_SQL, []);
    } catch {
      // The database is away; the next beat comes in any case, and requests report the outage.
    }
  }

  /** What is still held becomes everybody's to recover, at once. */
  async release(): Promise<void> {
    this.#stop();
    await this.#running;
    await this.#run("update owners set lease_until = 0 where id = $1", [this.#owner]);
  }
}

/** Some holds whose owner is dead or unknown, except those of `owner`, who asks. */
export async function findOrphans(run: Run, owner: string): Promise<readonly OrphanRow[]> {
  await run(FORGET_OWNERS_SQL, [owner]);
  return await run<OrphanRow>(ORPHANS_SQL, [owner]);
}

/** Whether a process beside `owner` serves, or died so lately that it may still seem to. */
export async function othersServe(run: Run, owner: string): Promise<boolean> {
  const text = `select 1 from owners where id <> $1 and lease_until > ${NOW_MS_SQL} limit 1`;
  return (await run(text, [owner])).length > 0;
}
