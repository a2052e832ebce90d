import { describe, expect, test } from "bun:test";
import { readConfig } from "../config/config.ts";
import { ChannelHealth } from "./health.ts";

const { limits } = readConfig({
  FAREGATE_CHANNEL_WINDOW_MS: "30000",
  FAREGATE_CHANNEL_ATTEMPTS_MIN: "10",
  FAREGATE_CHANNEL_FAULT_PERCENT: "50",
  FAREGATE_CHANNEL_COOLDOWN_MS: "15000",
});

const MODEL = "m";

function setUp() {
  const health = new ChannelHealth(limits);
  /** One request to its end, if it is let through at all. */
  const request = (nowMs: number, good: boolean) => {
    if (health.opensAtMs(MODEL) > nowMs) return false;
    const onTrial = health.begin(nowMs);
    if (good) health.answered(nowMs, onTrial);
    else health.faulted(nowMs, onTrial);
    return true;
  };
  const requests = (nowMs: number, outcomes: string) => {
    for (const outcome of outcomes) request(nowMs, outcome === "+");
  };
  return { health, request, requests };
}

describe("a channel", () => {
  test("is cooled by more than its share of faults, and not by exactly that", () => {
    const { health, requests } = setUp();
    requests(0, "+-+-+-+-+-");
    expect(health.cooled).toBe(false);
    requests(0, "-");
    expect(health.cooled).toBe(true);
    expect(health.opensAtMs(MODEL)).toBe(15_000);
  });

  test("is cooled by answers that break off as by any other fault: each is one attempt", () => {
    const { health, requests } = setUp();
    requests(0, "++++++++++");
    for (let i = 0; i < 5; i++) health.brokeOff(0);
    expect(health.status(0)).toMatchObject({ state: "ok", attempts: 10, faults: 5 });
    health.brokeOff(0);
    expect(health.status(0)).toMatchObject({ state: "cooled", attempts: 10, faults: 6 });
  });

  test("has no more faults than attempts when an answer breaks off that began long ago", () => {
    const { health, requests } = setUp();
    requests(0, "+++++++++++");
    for (let i = 0; i < 11; i++) health.brokeOff(31_000);
    expect(health.status(31_000)).toMatchObject({ state: "ok", attempts: 0, faults: 0 });
    requests(31_000, "+++");
    expect(health.status(31_000)).toMatchObject({ state: "ok", attempts: 3, faults: 3 });
  });

  test("is not judged by few attempts", () => {
    const { health, requests } = setUp();
    requests(0, "---------");
    expect(health.cooled).toBe(false);
    requests(0, "-");
    expect(health.cooled).toBe(true);
  });

  test("is judged by what happened lately", () => {
    const { health, requests } = setUp();
    requests(0, "---------");
    requests(31_000, "-");
    expect(health.status(31_000)).toMatchObject({ attempts: 1, faults: 1 });
    expect(health.cooled).toBe(false);
  });

  test("counts right when it was idle for much longer than the window", () => {
    const { health, requests } = setUp();
    requests(0, "+++");
    requests(10_000_000, "+-");
    expect(health.status(10_000_000)).toMatchObject({ attempts: 2, faults: 1 });
  });

  test("that is cooled lets nothing through, then one request at a time", () => {
    const { health, requests } = setUp();
    requests(0, "----------");
    expect(health.opensAtMs(MODEL)).toBeGreaterThan(14_999);
    expect(health.opensAtMs(MODEL)).toBe(15_000);
    expect(health.begin(15_000)).toBe(true);
    expect(health.status(15_000).state).toBe("trial");
    expect(health.opensAtMs(MODEL)).toBeGreaterThan(15_000);
    health.answered(15_100, true);
    expect(health.status(15_100)).toEqual({
      state: "ok",
      cooledUntilMs: undefined,
      attempts: 1,
      faults: 0,
    });
  });

  test("whose trial fails is cooled again for as long", () => {
    const { health, requests, request } = setUp();
    requests(0, "----------");
    expect(request(15_000, false)).toBe(true);
    expect(request(29_999, true)).toBe(false);
    expect(request(30_000, true)).toBe(true);
    expect(health.status(30_000).state).toBe("ok");
  });

  test("that is back is not cooled by the next single fault", () => {
    const { health, requests } = setUp();
    requests(0, "----------");
    requests(15_000, "+-");
    expect(health.cooled).toBe(false);
  });

  test("is not brought back by requests that began before it was cooled", () => {
    const { health, requests } = setUp();
    const early = health.begin(0);
    requests(0, "----------");
    health.answered(100, early);
    expect(health.cooled).toBe(true);
    health.faulted(200, early);
    expect(health.opensAtMs(MODEL)).toBe(15_000);
  });

  test("can be tried again when a trial ended without saying anything", () => {
    const { health, requests, request } = setUp();
    requests(0, "----------");
    health.released(health.begin(15_000));
    expect(request(15_001, true)).toBe(true);
  });

  test("is not blocked for ever by a trial whose outcome is never told", () => {
    const { health, requests } = setUp();
    requests(0, "----------");
    health.begin(15_000);
    expect(health.opensAtMs(MODEL)).toBe(30_000);
  });

  test("may be tried at once when a probe finds it, and when its rest ends whatever a probe finds", () => {
    const { health, requests } = setUp();
    requests(0, "----------");
    health.probed(5_000, false);
    expect(health.opensAtMs(MODEL)).toBe(15_000);
    health.probed(10_000, true);
    expect(health.status(10_000).state).toBe("trial");
    expect(health.opensAtMs(MODEL)).toBe(10_000);
    expect(health.begin(10_000)).toBe(true);
    // A probe that comes late has nothing to say any more.
    health.probed(10_001, false);
    health.answered(10_002, true);
    health.probed(10_003, false);
    expect(health.status(10_003).state).toBe("ok");
  });

  test("that lacks one model still serves the others", () => {
    const { health } = setUp();
    health.coolModel("gone", 0);
    expect(health.opensAtMs("gone")).toBe(15_000);
    expect(health.opensAtMs(MODEL)).toBe(0);
  });
});
