import { describe, expect, test } from "bun:test";
import {
  CHAT,
  COUNTS,
  DELTA,
  event,
  fed,
  gateway,
  STOP,
  theOnly,
  thrownBy,
} from "../../../test/support/houses/pipeline.ts";

const HOUR_MS = 3_600_000;
const STREAM = { ...CHAT, stream: true };

describe.each([
  ["forward", 2 * HOUR_MS],
  ["back", -2 * HOUR_MS],
])("a clock that is set %s by two hours", (_direction, byMs) => {
  test("cuts no stream, and its receipt says how long it took", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    const startedAtMs = it.services.clock();
    vendor.say(DELTA);
    const response = await it.post("chat", STREAM);
    const reader = response.body?.getReader();
    await reader?.read();
    it.setClock(byMs);
    for (let chunk = 0; chunk < 3; chunk++) {
      it.goTo(1_000);
      vendor.say(DELTA);
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      it.setClock(0);
    }
    vendor.say(STOP + COUNTS + event("[DONE]"));
    vendor.end();
    while (!(await reader?.read())?.done);
    const receipt = await theOnly(it);
    expect(receipt).toMatchObject({ status: 200, durationMs: 3_000, firstByteMs: 0 });
    expect(receipt.createdAtMs).toBe(startedAtMs);
  });

  test("does not change how long a vendor may be silent", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const reader = (await it.post("chat", STREAM)).body?.getReader();
    await reader?.read();
    it.setClock(byMs);
    it.goTo(it.services.limits.upstream_idle_ms + 1);
    while (!(await reader?.read())?.done);
    const receipt = await theOnly(it);
    expect(receipt.errorCode).toBe("upstream_unavailable");
    expect(receipt.durationMs).toBe(it.services.limits.upstream_idle_ms + 1);
  });

  test("leaves a refusal with the time that it took", async () => {
    const it = gateway({
      async admit() {
        it.setClock(byMs);
        it.goTo(5);
        return { kind: "exceeded", scope: "balance", used: 1n, max: 1n };
      },
    });
    expect((await thrownBy(it.post("chat", CHAT))).fault).toBe("budget_exceeded");
    expect(it.refused).toMatchObject([{ durationMs: 5 }]);
  });
});
