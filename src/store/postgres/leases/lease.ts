import { hostname } from "node:os";
import { StorageError } from "../../../lib/faults.ts";
import type { OrphanRow } from "../../money/interrupted.ts";
import { HOLD_COLUMNS } from "../../money/money-rows.ts";
import { NOW_MS_SQL, type Run } from "../connections.ts";
import { Streak } from "./streak.ts";

/** For whoever does not say how long; the settings do. */
export const LEASE_MS = 20_000;
/** The longest that can be set, for a program that does not say how long its own is. */
const LONGEST_MS = 3_600_000;
const RATE_SECONDS_KEPT = 120;
/** How long one is remembered that has not been heard of and holds nothing. */
const OWNER_KEPT_MS = 24 * 3_600_000;

/** Of a lease: between two beats, before a beat that failed is tried again, and a silence of the database. */
const BEAT = 1 / 4;
const TRY_AGAIN = 1 / 40;
const SILENCE = 1 / 2;

const BEAT_SQL = `
  insert into owners (id, name, lease_until, lease_ms) values ($1, $2, ${NOW_MS_SQL} + $3, $3)
  on conflict (id) do update set lease_until = excluded.lease_until, lease_ms = excluded.lease_ms
  returning ${NOW_MS_SQL} as now_ms`;

const SWEEP_RATES_SQL = `
  delete from rate_seconds where second < ${NOW_MS_SQL} / 1000 - ${RATE_SECONDS_KEPT}`;

const OF_HOLD = HOLD_COLUMNS.map((name) => `h.${name}`).join(", ");

/** One moment for all of a statement, however long that takes. */
const ASKED_MS_SQL = "(extract(epoch from statement_timestamp()) * 1000)::bigint";

/**
 * Holds that their owner has let go of, or that are nobody's, and before `$2` also those of owners whose lease has run
 * out. The database itself looks at its clock: it may have been away since whoever asks was told that it may judge.
 */
const ORPHANS_SQL = `
  select ${OF_HOLD}, coalesce(o.name, '') as instance from holds h left join owners o on o.id = h.owner
  where h.owner <> $1 and (coalesce(o.lease_until, 0) = 0
    or o.lease_until <= ${ASKED_MS_SQL} and ${ASKED_MS_SQL} < $2::bigint)
  order by h.id limit 256`;

/**
 * Lets go of leases that lie further ahead than they could (`latestOf`): their owner has not beaten since the clock of the
 * database was set back. It has had the time to, since whoever judges has seen the database for its whole lease: from `$2`
 * until `$3`, for `$4`, with a lease of `$5` itself. Anything that the clock was set back by so far ends what has been seen.
 */
const END_LEASES_AHEAD_SQL = `
  update owners set lease_until = 0 where id <> $1
  and lease_until > ${ASKED_MS_SQL} + 2 * greatest(coalesce(lease_ms, ${LONGEST_MS}), $5::bigint)
  and coalesce(lease_ms, ${LONGEST_MS}) <= $4::bigint
  and ${ASKED_MS_SQL} >= $2::bigint and ${ASKED_MS_SQL} < $3::bigint`;

const FORGET_OWNERS_SQL = `
  delete from owners o where o.id <> $1
  and (o.lease_until = 0 or o.lease_until < ${NOW_MS_SQL} - ${OWNER_KEPT_MS})
  and not exists (select 1 from holds h where h.owner = o.id)`;

/** A hold without a living owner, and by what name that was known. */
type Orphan = OrphanRow & { readonly instance: string };

/** Who may take others for dead that have not been heard of. */
interface Judge {
  /** By the clock of the database: the last beat, and until when it counts. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** For how long the database has answered. */
  readonly seenMs: number;
  readonly leaseMs: number;
}

interface LeaseParts {
  readonly run: Run;
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * What a serving process does now and then to be seen as alive, and to clean up behind it. A process that has
 * not been heard of for the time of its lease, by the clock of the database, is dead for the others. They may
 * only say so who have seen the database answer for a whole lease themselves: while it is away nobody can
 * renew a lease, and when it is back each of them first gets the time to.
 */
export class Lease {
  readonly #parts: LeaseParts;
  readonly #streak: Streak;
  #renewing: Promise<void> | undefined;
  #timer: Timer | undefined;
  #isReleased = false;

  private constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#streak = new Streak(parts.leaseMs * SILENCE);
  }

  static async take(parts: LeaseParts): Promise<Lease> {
    const lease = new Lease(parts);
    await lease.#renew();
    lease.#beatIn(parts.leaseMs * BEAT);
    return lease;
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#beat().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #beat(): Promise<void> {
    const { run, owner, leaseMs } = this.#parts;
    const name = `${hostname()}/${process.pid}`;
    const beat = run<{ now_ms: bigint }>(BEAT_SQL, [owner, name, leaseMs]);
    const [row] = await inTime(beat, leaseMs * BEAT);
    if (row) this.#streak.add({ ownMs: performance.now(), databaseMs: Number(row.now_ms) });
  }

  #beatIn(ms: number): void {
    if (this.#isReleased) return;
    this.#timer = setTimeout(() => void this.#tick(), ms);
    this.#timer.unref();
  }

  async #tick(): Promise<void> {
    const { run, leaseMs } = this.#parts;
    try {
      await this.#renew();
      this.#beatIn(leaseMs * BEAT);
    } catch {
      // The database is away; requests report the outage. When it is back, nobody has time to lose.
      this.#beatIn(leaseMs * TRY_AGAIN);
      return;
    }
    // What is left over is swept at the next beat.
    await run(SWEEP_RATES_SQL, []).catch(() => {});
  }

  /** Whether others that have not been heard of may be taken for dead. It renews its own lease first. */
  async judge(): Promise<Judge | undefined> {
    await this.#renew();
    const { lengthMs: seenMs, lastMs: fromMs, lastsUntilMs: untilMs } = this.#streak;
    const { leaseMs } = this.#parts;
    return seenMs >= leaseMs ? { fromMs, untilMs, seenMs: Math.floor(seenMs), leaseMs } : undefined;
  }

  /** What is still held becomes everybody's to recover, at once. */
  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#timer);
    await this.#renewing?.catch(() => {});
    const { run, owner } = this.#parts;
    await run("update owners set lease_until = 0 where id = $1", [owner]);
  }
}

/** A connection whose other end is gone may be silent for minutes; the next try goes by another. */
async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new StorageError("the database has not answered in time")),
    ms,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}

/** Some holds whose owner is gone, except those of `owner`, who asks and may be a judge. */
export async function findOrphans(
  run: Run,
  owner: string,
  judge: Judge | undefined,
): Promise<readonly Orphan[]> {
  if (judge) {
    const { fromMs, untilMs, seenMs, leaseMs } = judge;
    await run(END_LEASES_AHEAD_SQL, [owner, fromMs, untilMs, seenMs, leaseMs]);
  }
  await run(FORGET_OWNERS_SQL, [owner]);
  return await run<Orphan>(ORPHANS_SQL, [owner, judge?.untilMs ?? 0]);
}

/** Whether a process beside `owner` serves, or died so lately that it may still seem to. */
export async function othersServe(run: Run, owner: string): Promise<boolean> {
  const text = `select 1 from owners where id <> $1 and lease_until > ${NOW_MS_SQL} limit 1`;
  return (await run(text, [owner])).length > 0;
}
