import { expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { PublishingRows } from "./publishing.ts";
import { PLATFORM_PUBLISHING_TABLES } from "./versions.ts";

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const parts = partsOfTest();

test.each(ENGINES)(
  "a publish does not wait for a time of before the clock was set back, on $name",
  async (engine) => {
    const { sql } = await tablesOn(parts, engine, PLATFORM_PUBLISHING_TABLES);
    const rows = new PublishingRows(sql);
    await rows.submit({
      ...{ publish_id: 1, appid: "wx", media_id: "m", origin: "o", outcome: 2, failed: [] },
      ...{ submitted_at: NOW, due_at: NOW + 2_000 },
    });
    const isDue = async (nowMs: number) => (await rows.due(nowMs)).length === 1;
    expect([await isDue(NOW), await isDue(NOW + 2_000)]).toEqual([false, true]);
    // Another machine's clock may be a little behind.
    expect([await isDue(NOW - 1_000), await isDue(NOW - DAY_MS)]).toEqual([false, true]);
    await rows.finish(1, "article", 3, NOW);
    const isTaken = async (nowMs: number) =>
      (await rows.takePush(nowMs, nowMs + 5_000)) !== undefined;
    expect([await isTaken(NOW), await isTaken(NOW)]).toEqual([true, false]);
    const back = NOW - DAY_MS;
    expect([await isTaken(back), await isTaken(back)]).toEqual([true, false]);
  },
);
