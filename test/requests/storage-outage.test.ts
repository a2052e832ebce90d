// What clients, the one who watches and the one who reads the log see of a storage that does not answer.
import { describe, expect, test } from "bun:test";
import { ENGINES } from "../store/engines.ts";
import { gauge, METRICS_PUBLIC } from "../support/gauges.ts";
import { noHolds } from "../support/houses/database.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { eventually } from "../support/waiting.ts";

const SETTINGS = {
  ...METRICS_PUBLIC,
  FAREGATE_ADMISSION_STORAGE_MS: "1500",
  FAREGATE_SETTLE_WAIT_MS: "2500",
};

const LOOKS = 12;
const LOOK_MS = 200;

const CHAT = { model: "sandbox-1.0", messages: [{ role: "user", content: "Say hello." }] };

for (const engine of ENGINES) {
  describe(`a server whose ${engine.name} does not answer`, () => {
    const parts = partsOfTest();

    test("refuses with 503, is not ready, counts it, and goes on by itself", async () => {
      const { server, database } = await serve(parts, { engine, settings: SETTINGS, books: true });
      const { key } = await server.account("10");
      // A key that was looked up is kept for a moment; this one nobody has seen.
      const { key: unseen } = await server.account("10");
      const ask = (by = key) => server.post("/chat/completions", by, CHAT);
      const { origin } = new URL(server.url);
      const ready = async () => (await fetch(`${origin}/readyz`)).status;
      expect([(await ask()).status, await ready()]).toEqual([200, 200]);
      expect(await gauge(server.url, "storage_up")).toBe(1);

      const resume = parts.adopt(await database.stall(), (end) => end());
      const [refused, others] = await Promise.all([
        ask(unseen),
        // Nobody is told that it is ready once a second has passed since the last proof.
        eventually("it is not ready", async () => (await ready()) === 503),
      ]);
      expect(others).toBe(true);
      expect(refused.status).toBe(503);
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await refused.json()).toMatchObject({ error: { code: "storage_unavailable" } });
      expect(await ready()).toBe(503);
      expect(await gauge(server.url, "storage_up")).toBe(0);
      const text = await (await fetch(`${origin}/metrics`)).text();
      expect(text).toMatch(
        /faregate_storage_failures_total\{operation="(settlement|authentication)"\} 1/,
      );

      await resume();
      await eventually("it is ready again", async () => (await ready()) === 200);
      expect((await ask()).status).toBe(200);
      expect(await gauge(server.url, "storage_up")).toBe(1);
    });

    test("is not ready while nothing can be settled, by one state for all who look, and says so once", async () => {
      const settings = { ...SETTINGS, FAREGATE_LOG: "warn" };
      const { server, database } = await serve(parts, { engine, settings, books: true });
      const { key } = await server.account("10");
      const ask = () => server.post("/chat/completions", key, CHAT);
      const { origin } = new URL(server.url);
      const ready = async () => (await fetch(`${origin}/readyz`)).status;
      expect([(await ask()).status, await ready()]).toEqual([200, 200]);
      const unlock = await database.lockWrites();
      const asked = Array.from({ length: 3 }, ask);
      await eventually("it is not ready", async () => (await ready()) === 503);
      const seen: unknown[] = [];
      // Longer than the proofs by which the state changes.
      for (let look = 0; look < LOOKS; look++) {
        seen.push([await ready(), await gauge(server.url, "storage_up")]);
        await Bun.sleep(LOOK_MS);
      }
      expect(seen).toEqual(Array.from({ length: LOOKS }, () => [503, 0]));
      await unlock();
      await eventually("it is ready again", async () => (await ready()) === 200);
      expect(await gauge(server.url, "storage_up")).toBe(1);
      for (const each of asked) expect([200, 503]).toContain((await each).status);
      expect((await ask()).status).toBe(200);
      await noHolds(database);
      await server.stop();
      const events = (await server.errors).match(/(?<="event":")storage_(?:failed|recovered)/g);
      expect(events).toEqual(["storage_failed", "storage_recovered"]);
    });
  });
}
