import { type Clock, every } from "../lib/clock.ts";
import type { Sql } from "../lib/sql/sql.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import type { Log } from "../telemetry/log.ts";
import type { ChannelState, KeptChannel } from "../upstream/channels/channel-state.ts";
import type { Routes } from "../upstream/routing.ts";

const KEEP_MS = 5_000;
/** The times of the last answer and failure are kept to the minute: they change with every request. */
const COARSE_MS = 60_000;

const LOAD = `select channel_id as "channelId", kept from operator_channel_health`;
const KEEP = `insert into operator_channel_health (channel_id, kept, kept_at) values ($1, $2, $3)
  on conflict (channel_id) do update set kept = excluded.kept, kept_at = excluded.kept_at`;

interface Parts {
  readonly sql: Sql;
  readonly routes: Pick<Routes, "states" | "now">;
  readonly clock: Clock;
  readonly log: Log;
}

/** The same with all times moved: channels go by a steady clock, rows by the one on the wall. */
function moved(kept: KeptChannel, byMs: number): KeptChannel {
  const move = (atMs: number | null) => (atMs === null ? null : atMs + byMs);
  return {
    ...kept,
    answeredAtMs: move(kept.answeredAtMs),
    failedAtMs: move(kept.failedAtMs),
    lastError: kept.lastError && { ...kept.lastError, atMs: kept.lastError.atMs + byMs },
    credentials: kept.credentials.map((each) => ({
      ...each,
      probeAtMs: each.probeAtMs + byMs,
      cooledUntilMs: each.cooledUntilMs + byMs,
    })),
  };
}

function coarse(atMs: number | null): number | null {
  return atMs && Math.floor(atMs / COARSE_MS);
}

/** Two states with the same text need no second row. */
function gist(kept: KeptChannel): string {
  const { answeredAtMs, failedAtMs, lastError } = kept;
  const times = [coarse(answeredAtMs), coarse(failedAtMs)];
  const error = lastError && { ...lastError, atMs: coarse(lastError.atMs) };
  return JSON.stringify({
    ...kept,
    answeredAtMs: times[0],
    failedAtMs: times[1],
    lastError: error,
  });
}

/** Keeps the health of channels in the database, so that the next process knows it. Requests do not wait for it. */
export class ChannelMemory {
  readonly #parts: Parts;
  readonly #gists = new Map<string, string>();
  #isFailing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  #aheadMs(): number {
    return this.#parts.clock() - this.#parts.routes.now();
  }

  /** Takes over what was kept. Without it, channels are as if nobody had asked them yet. */
  async recall(): Promise<void> {
    const { sql, routes, log } = this.#parts;
    try {
      const rows = await sql.query<{ channelId: string; kept: string }>(LOAD);
      const keptById = new Map(rows.map(({ channelId, kept }) => [channelId, kept]));
      for (const state of routes.states) {
        const kept = keptById.get(state.channel.id);
        if (kept === undefined) continue;
        state.recall(moved(JSON.parse(kept), -this.#aheadMs()));
        this.#gists.set(state.channel.id, gist(state.kept()));
      }
    } catch (thrown) {
      log.warn("channel_health_not_read", { thrown });
    }
  }

  start(tasks: Pick<TaskGroup, "run">): () => void {
    return every(KEEP_MS, () => tasks.run(this.keep()));
  }

  /** Writes what has changed since the last time. A database that is away is tried again later. */
  async keep(): Promise<void> {
    const { routes, log } = this.#parts;
    try {
      for (const state of routes.states) await this.#keepOne(state);
      this.#isFailing = false;
    } catch (thrown) {
      if (!this.#isFailing) log.warn("channel_health_not_kept", { thrown });
      this.#isFailing = true;
    }
  }

  async #keepOne(state: ChannelState): Promise<void> {
    const { sql, clock } = this.#parts;
    const { id, embedded } = state.channel;
    const kept = state.kept();
    const now = gist(kept);
    const isNew =
      kept.answeredAtMs === null && kept.failedAtMs === null && kept.proof === "untried";
    if (embedded || this.#gists.get(id) === now || (isNew && !this.#gists.has(id))) return;
    await sql.query(KEEP, [id, JSON.stringify(moved(kept, this.#aheadMs())), clock()]);
    this.#gists.set(id, now);
  }
}
