import { expect, test } from "bun:test";
import { key as keyOf } from "../../test/store/samples.ts";
import { keptLog } from "../../test/support/logs.ts";
import { readConfig } from "../config/config.ts";
import { OwnGate } from "../gateway/inner/gate-view.ts";
import { openStoredTurn } from "../gateway/stored-turn.ts";
import { StorageError } from "../lib/faults.ts";
import { TimeBudget } from "../lib/threads/time-budget.ts";
import { JsonText } from "../protocols/bytes/splice.ts";
import { upstreamUnavailable } from "../protocols/faults.ts";
import { NO_USAGE } from "../protocols/usage.ts";
import type { Store } from "../store/store.ts";
import { Metrics } from "../telemetry/metrics.ts";
import { ChannelSource } from "../upstream/channels/channels.ts";
import { VendorRefusal } from "../upstream/refusal.ts";
import { servicesOf } from "./services.ts";

const HOUR_MS = 3_600_000;

function world(store = {} as Store) {
  const config = readConfig({
    FAREGATE_SECRET: "a-secret-of-more-than-32-characters",
    OPENAI_API_KEY: "sk-nobody",
  });
  const time = { nowMs: 1_794_800_000_000, aheadMs: 0 };
  const { log, logged } = keptLog("error");
  const services = servicesOf(config, store, new ChannelSource(config), log, {
    clock: () => time.nowMs + time.aheadMs,
    steady: () => time.nowMs,
  });
  return { time, services, logged };
}

test("what is measured goes by the clock that nobody sets", () => {
  const { time, services } = world();
  const { arrivals, watchdog, routes, clock } = services;
  expect(arrivals.enter("key", 1)).toBeUndefined();
  for (const aheadMs of [2 * HOUR_MS, -2 * HOUR_MS]) {
    time.aheadMs = aheadMs;
    expect(arrivals.enter("key", 1)?.retryAfterMs).toBeLessThanOrEqual(60_000);
    expect([watchdog.now(), routes.now()]).toEqual([time.nowMs, time.nowMs]);
    expect(clock()).toBe(time.nowMs + aheadMs);
  }
});

test("what is told of channels goes by the clock on the wall", async () => {
  const { time, services } = world();
  const startedAtMs = services.clock();
  const gate = new OwnGate({
    services,
    metrics: new Metrics(),
    startedAtMs,
    reload: async () => {},
  });
  const state = services.routes.states.find(({ channel }) => channel.vendor === "openai");
  const [credential] = state?.credentials.all ?? [];
  if (!state || !credential) throw new Error("there is no channel");
  const fault = upstreamUnavailable(undefined);
  const refusal = new VendorRefusal("no such key", { kind: "credential", status: 401, fault });
  state.failed(refusal, { credential, upstreamModel: "m" }, services.routes.now(), false);
  const [known] = (await gate.facts()).channels.filter(({ id }) => id === state.channel.id);
  time.nowMs += 5_000;
  time.aheadMs = -2 * HOUR_MS;
  const { channels, uptimeMs } = await gate.facts();
  const [shown] = channels.filter(({ id }) => id === state.channel.id);
  expect(uptimeMs).toBe(5_000);
  expect(known?.lastError?.atMs).toBe(startedAtMs);
  expect(shown?.lastError?.atMs).toBe(startedAtMs - 2 * HOUR_MS);
  expect(shown?.credentials[0]?.cooledUntilMs).toBe(
    (known?.credentials[0]?.cooledUntilMs ?? 0) - 2 * HOUR_MS,
  );
});

test("responses that storage does not take are told of once, however many they are", async () => {
  const save = () => Promise.reject(new StorageError("disk full"));
  const { services, logged } = world({ conversations: { save } } as unknown as Store);
  const body = { model: "sandbox-1.0", input: "Say one" };
  const asked = { body, json: new JsonText(JSON.stringify(body)), model: body.model } as const;
  const request = { ...asked, stream: false, maxOutput: undefined, choices: 1, webSearch: false };
  const inputLoss = { day: 0, amount: 0n };
  const state = { accountEnabled: true, accountHard: false, operator: false };
  const account = { ...state, overdraft: 0n, inputLoss };
  const key = { ...keyOf("acct_1"), ...account, secretEndsAtMs: null };
  const timeBudget = new TimeBudget(1_000);
  const { turn } = await openStoredTurn(services, { key, timeBudget }, request, {
    taken: 0,
    grow() {},
  });
  const end = { cost: undefined, usage: NO_USAGE, echo: {} };
  for (let i = 0; i < 50; i++) {
    const final = { id: `resp_${i}`, object: "response", output: [] };
    const kept = await turn.keep(final, { model: body.model, echo: turn.echo }, end, timeBudget);
    expect(kept.echo).toEqual({ store: "false" });
  }
  expect(logged("response_not_kept")).toMatchObject([
    { response: "resp_0", thrown: { message: "disk full" } },
  ]);
});
