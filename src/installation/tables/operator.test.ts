import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { failureOf } from "../../../test/store/samples.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import type { StoredChannel, StoredPrice } from "../snapshot.ts";
import { OperatorRows } from "./operator.ts";
import { SnapshotRows } from "./snapshot.ts";
import { OPERATOR_TABLES } from "./versions.ts";

const CHANNEL: StoredChannel = {
  id: "openai-2",
  form: '{"vendor":"openai"}',
  secrets: "sealed",
  revivedAtMs: 0,
  createdAtMs: 1_800_000_000_000,
  changedAtMs: 1_800_000_000_000,
};

function price(id: string, effectiveFromMs: number, text = "{}"): StoredPrice {
  return { id, modelId: "m", effectiveFromMs, price: text, createdAtMs: 1, createdBy: "ada" };
}

describe.each(ENGINES)("what operators set, on $name", (engine) => {
  const tables = perTest((parts) => tablesOn(parts, engine, OPERATOR_TABLES));
  const store = perTest(() => new OperatorRows(tables.sql));
  const read = perTest(() => new SnapshotRows(tables.sql));

  test("a channel is read back as it was written, once for each id", async () => {
    expect(await store.addChannel(CHANNEL)).toBe(true);
    expect(await store.addChannel({ ...CHANNEL, form: "other" })).toBe(false);
    expect((await read.load()).channels).toEqual([CHANNEL]);
    const changed = { ...CHANNEL, form: "{}", secrets: "other", revivedAtMs: 3, changedAtMs: 4 };
    const change = (before: StoredChannel) => {
      expect(before).toEqual(CHANNEL);
      return changed;
    };
    expect(await store.changeChannel(CHANNEL.id, change)).toBe(true);
    expect((await read.load()).channels).toEqual([changed]);
    expect(await store.removeChannel(CHANNEL.id)).toBe(true);
    expect(await store.removeChannel(CHANNEL.id)).toBe(false);
    expect(await store.changeChannel(CHANNEL.id, change)).toBe(false);
    expect((await read.load()).channels).toEqual([]);
  });

  test("another process sees a change by the revision", async () => {
    const other = new SnapshotRows(await tables.again());
    const before = await other.revision();
    await store.changeSwitch("openai", (fresh) => ({ ...fresh, off: true }));
    expect(await other.revision()).toBe(before + 1);
    await store.changeSwitch("openai", (off) => ({ ...off, revivedAtMs: 5 }));
    const { revision, switches } = await other.load();
    expect(revision).toBe(before + 2);
    expect(switches).toEqual([{ channelId: "openai", off: true, revivedAtMs: 5 }]);
    await store.changeSwitch("openai", (off) => ({ ...off, off: false }));
    expect((await other.load()).switches).toEqual([
      { channelId: "openai", off: false, revivedAtMs: 5 },
    ]);
  });

  test("prices come in the order in which they begin, and one moment has one", async () => {
    await store.setPrice(price("b", 2_000_000_000_000));
    await store.setPrice(price("a", 1_900_000_000_000));
    await store.setPrice(price("c", 2_000_000_000_000, '{"input":"2"}'));
    expect((await read.load()).prices.map(({ id }) => id)).toEqual(["a", "c"]);
    expect(await store.removePrice("c")).toBe(true);
    expect(await store.removePrice("c")).toBe(false);
  });

  test("a model goes with its prices", async () => {
    const model = { id: "m", definition: "{}", createdAtMs: 7 };
    await store.setModel(model, price("p", 1));
    await store.setPrice({ ...price("q", 1), modelId: "n" });
    await store.setModel({ ...model, definition: '{"context":1}', createdAtMs: 9 });
    const { models, prices } = await read.load();
    expect(models).toEqual([{ ...model, definition: '{"context":1}' }]);
    expect(prices.map(({ id }) => id)).toEqual(["p", "q"]);
    await store.removeModel("m");
    const rest = await read.load();
    expect(rest.models).toEqual([]);
    expect(rest.prices.map(({ id }) => id)).toEqual(["q"]);
  });

  test("a change goes by what the last one has left, and is none where it throws", async () => {
    await store.addChannel(CHANNEL);
    const counted = (kept: StoredChannel) => ({ ...kept, revivedAtMs: kept.revivedAtMs + 1 });
    await Promise.all([1, 2, 3].map(() => store.changeChannel(CHANNEL.id, counted)));
    const refused = store.changeChannel(CHANNEL.id, () => {
      throw new Error("not so");
    });
    expect((await failureOf(refused)).message).toBe("not so");
    expect((await read.load()).channels).toEqual([{ ...CHANNEL, revivedAtMs: 3 }]);
    const longer = (said = "") => `${said}.`;
    await Promise.all([1, 2, 3].map(() => store.changeModel("m", 7, longer)));
    expect((await read.load()).models).toEqual([{ id: "m", definition: "...", createdAtMs: 7 }]);
  });

  test("settings are set, changed and forgotten by name", async () => {
    await store.setSettings({ signup: "open", markup_percent: "12.5" });
    await store.setSettings({ signup: "closed", markup_percent: null });
    expect((await read.load()).settings).toEqual({ signup: "closed" });
  });
});
