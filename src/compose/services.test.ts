import { expect, test } from "bun:test";
import { keptLog } from "../../test/support/logs.ts";
import { readConfig } from "../config/config.ts";
import type { Store } from "../store/store.ts";
import { ChannelSource } from "../upstream/channels/channels.ts";
import { servicesOf } from "./services.ts";

test("what is measured goes by the clock that nobody sets", () => {
  const config = readConfig({ FAREGATE_SECRET: "a-secret-of-more-than-32-characters" });
  const time = { nowMs: 1_794_800_000_000, aheadMs: 0 };
  const { log } = keptLog("error");
  const services = servicesOf(config, {} as Store, new ChannelSource(config), log, {
    clock: () => time.nowMs + time.aheadMs,
    steady: () => time.nowMs,
  });
  const { arrivals, watchdog, routes, clock } = services;
  expect(arrivals.enter("key", 1)).toBeUndefined();
  for (const aheadMs of [7_200_000, -7_200_000]) {
    time.aheadMs = aheadMs;
    expect(arrivals.enter("key", 1)?.retryAfterMs).toBeLessThanOrEqual(60_000);
    expect([watchdog.now(), routes.now()]).toEqual([time.nowMs, time.nowMs]);
    expect(clock()).toBe(time.nowMs + aheadMs);
  }
});
