import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../test/store/engines.ts";
import { perTest } from "../../test/support/houses/house.ts";
import { keptLog } from "../../test/support/logs.ts";
import { readConfig } from "../config/config.ts";
import { upstreamUnavailable } from "../protocols/faults.ts";
import { ChannelState } from "../upstream/channels/channel-state.ts";
import { plainChannel } from "../upstream/channels/channels.ts";
import { VendorKey } from "../upstream/channels/credentials.ts";
import { type RefusalKind, VendorRefusal } from "../upstream/refusal.ts";
import { ChannelMemory } from "./channel-memory.ts";
import { OPERATOR_TABLES } from "./tables/versions.ts";

const { limits } = readConfig({});
const WALL_MS = Date.UTC(2026, 10, 19);
const ROWS = `select channel_id as "id" from operator_channel_health`;

function channelState(): ChannelState {
  const send = () => Promise.resolve(new Response());
  const keys = [new VendorKey("sk-a"), new VendorKey("sk-b")];
  return new ChannelState(plainChannel({ id: "main", vendor: "openai", keys, send }), limits);
}

function fail(state: ChannelState, kind: RefusalKind, nowMs: number, exhausted = false, key = 0) {
  const credential = state.credentials.all[key];
  if (!credential) throw new Error("no such key");
  const refusal = new VendorRefusal("its words", {
    ...{ kind, exhausted, status: 429, fault: upstreamUnavailable() },
  });
  state.failed(refusal, { credential, upstreamModel: "m" }, nowMs, false);
}

describe.each(ENGINES)("the memory of channels, on $name", (engine) => {
  const tables = perTest((parts) => tablesOn(parts, engine, OPERATOR_TABLES));

  /** A process that has run for so long when the clock on the wall stands there. */
  function processOf(states: readonly ChannelState[], uptimeMs: number, wallMs: number) {
    const { log, logged } = keptLog("info");
    const routes = { states, now: () => uptimeMs };
    const memory = new ChannelMemory({ sql: tables.sql, routes, clock: () => wallMs, log });
    return { memory, logged };
  }

  test("tells the next process, whose steady clock begins anew", async () => {
    const before = channelState();
    before.answered(50_000, false);
    fail(before, "credential", 60_000, false, 0);
    fail(before, "rate", 70_000, true, 1);
    await processOf([before], 90_000, WALL_MS).memory.keep();
    const after = channelState();
    // It has run for a second, half a minute later.
    await processOf([after], 1_000, WALL_MS + 30_000).memory.recall();
    expect(after.status(1_000)).toMatchObject({
      ...{ state: "cooled", reason: "quota" },
      answeredAtMs: 1_000 - 70_000,
      failedAtMs: 1_000 - 50_000,
      cooledUntilMs: 1_000 - 50_000 + limits.credential_cooldown_ms_max,
      lastError: { message: "its words", kind: "rate" },
    });
  });

  test("writes nothing of a channel that nobody has asked, and nothing twice", async () => {
    const state = channelState();
    const { memory } = processOf([state], 10_000, WALL_MS);
    await memory.keep();
    expect(await tables.sql.query(ROWS)).toEqual([]);
    state.answered(10_000, false);
    await memory.keep();
    await tables.sql.query("delete from operator_channel_health");
    state.answered(10_500, false);
    await memory.keep();
    expect(await tables.sql.query(ROWS)).toEqual([]);
    fail(state, "credential", 11_000);
    await memory.keep();
    expect(await tables.sql.query(ROWS)).toEqual([{ id: "main" }]);
  });

  test("is no reason to stop where the database is away, and says so once", async () => {
    const state = channelState();
    state.answered(0, false);
    const { memory, logged } = processOf([state], 0, WALL_MS);
    await tables.sql.query("drop table operator_channel_health");
    await memory.recall();
    await memory.keep();
    await memory.keep();
    expect(logged("channel_health_not_read")).toHaveLength(1);
    expect(logged("channel_health_not_kept")).toHaveLength(1);
  });
});
