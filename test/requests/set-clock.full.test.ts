// The system's clock is set while streams run, by libfaketime, on the whole server.
import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ENGINES } from "../store/engines.ts";
import { noHolds } from "../support/houses/database.ts";
import { type Parts, partsOfTest } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { systemTool } from "../support/tools.ts";

const STREAMS = 9;
const EVENT_MS = 60;
const LONGEST_MS = 120_000;
const HOUR_MS = 3_600_000;
const BODY = {
  model: "sandbox-1.0",
  stream: true,
  messages: [{ role: "user", content: "Write 60 words about the weather." }],
};

const FAKETIME = systemTool("faketime", "faketime");

/** Settings of a process whose clock is set by what stands in a file. */
function fakeClock(parts: Parts) {
  const tool = FAKETIME ?? "";
  const library = ["lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib", "lib64"]
    .map((folder) => join(dirname(tool), "..", folder, "faketime", "libfaketimeMT.so.1"))
    .find((path) => existsSync(path));
  if (library === undefined) throw new Error(`there is no libfaketime beside ${tool}`);
  const file = join(parts.folder(), "clock");
  const set = (offset: "+0" | "+2h" | "-2h") => writeFileSync(file, `${offset}\n`);
  set("+0");
  const settings = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    // What counts from the start of the machine is not set by anybody.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
  return { set, settings };
}

describe.skipIf(!FAKETIME).each(ENGINES)(
  "a clock that is set while streams run, on $name",
  (engine) => {
    const parts = partsOfTest();

    test.each(["+2h", "-2h"] as const)("by %s cuts none of them", async (offset) => {
      const clock = fakeClock(parts);
      const serving = { engine, settings: clock.settings, process: true, books: true };
      const { server, database } = await serve(parts, serving);
      const { key } = await server.account("100", "--rpm", "0");
      const before = Date.now();
      const slow = { "x-sandbox-fault": `delay_ms=${EVENT_MS}` };
      const streams = await Promise.all(
        Array.from({ length: STREAMS }, () => server.post("/chat/completions", key, BODY, slow)),
      );
      clock.set(offset);
      const whole = await server.post("/chat/completions", key, { ...BODY, stream: false }, slow);
      expect(whole.status).toBe(200);
      await whole.text();
      const texts = await Promise.all(streams.map((stream) => stream.text()));
      clock.set("+0");
      for (const text of texts) expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
      await noHolds(database);
      const rows = await database.run(
        "select created_at, duration_ms, first_byte_ms from receipts where status = 200",
      );
      expect(rows).toHaveLength(STREAMS + 1);
      // The one that came after it was set has the time of day that it was set to.
      const setTo = rows.filter((row) => Math.abs(Number(row.created_at) - before) > HOUR_MS);
      expect(setTo).toHaveLength(1);
      for (const { duration_ms, first_byte_ms } of rows) {
        expect(Number(duration_ms)).toBeGreaterThanOrEqual(Number(first_byte_ms));
        expect(Number(duration_ms)).toBeLessThan(LONGEST_MS);
        expect(Number(first_byte_ms)).toBeGreaterThanOrEqual(0);
      }
    });

    test("back keeps no key waiting for longer than a minute", async () => {
      const clock = fakeClock(parts);
      const { server } = await serve(parts, { engine, settings: clock.settings, process: true });
      const { key } = await server.account("100", "--rpm", "2");
      const ask = () => server.post("/chat/completions", key, { ...BODY, stream: false });
      for (const status of [200, 200, 429]) expect((await ask()).status).toBe(status);
      clock.set("-2h");
      const refused = await ask();
      expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
      await refused.text();
    });
  },
);
