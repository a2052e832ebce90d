import { expect, test } from "bun:test";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { operatorHouse, SmallVendor } from "../../../test/support/houses/operator-house.ts";
import type { Sql } from "../../lib/sql/sql.ts";

const MODEL = {
  id: "small-model",
  owned_by: "tests",
  context: 8_000,
  max_output: 1_000,
  price: { input: "1", output: "4" },
};
const KEYS = ["sk-vendor-key-0001", "sk-vendor-key-0002"];

const parts = partsOfTest();

/** From `gather` on nothing is written until so many want to write: by then each has read what it goes by. */
function gathering(sql: Sql) {
  let missing = 0;
  let all = Promise.withResolvers<void>();
  const gathered: Sql = {
    query: (...args) => sql.query(...args),
    nowMs: () => sql.nowMs(),
    async transaction(work) {
      missing -= 1;
      if (missing === 0) all.resolve();
      if (missing >= 0) await all.promise;
      return sql.transaction(work);
    },
  };
  const gather = (count: number) => {
    missing = count;
    all = Promise.withResolvers();
  };
  return { gathered, gather };
}

/** A house on whose database changes can be made at once, with a channel of its own and one of its file. */
async function setUp() {
  const vendor = parts.keep(new SmallVendor());
  const place = { vendor: "custom", base_url: vendor.url };
  const file = JSON.stringify({
    channels: [{ ...place, id: "filed", keys: KEYS, models: ["small-model"] }],
    models: [MODEL],
  });
  const { store } = await operatorHouse(parts);
  const { gathered, gather } = gathering(store.sql);
  const house = await operatorHouse(parts, { file, sql: gathered });
  await house.ask("POST", "/channels", { ...place, id: "own", keys: KEYS });
  type Asked = readonly [method: string, path: string, form: object];
  const atOnce = async (...asked: readonly Asked[]) => {
    gather(asked.length);
    const answers = await Promise.all(asked.map((each) => house.ask(...each)));
    expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200));
  };
  const shown = async (path: string) => (await house.ask("GET", path)).body;
  return { atOnce, shown };
}

test("a channel that is switched off stays off, whatever else is changed at the same moment", async () => {
  const { atOnce, shown } = await setUp();
  await atOnce(
    ["PATCH", "/channels/own", { enabled: false }],
    ["PATCH", "/channels/own", { weight: 7 }],
    ["POST", "/channels/own/revive", {}],
  );
  expect(await shown("/channels/own")).toMatchObject({ enabled: false, weight: 7 });
});

test("a key that is taken away is gone, though another comes at the same moment", async () => {
  const { atOnce, shown } = await setUp();
  await atOnce(
    ["PATCH", "/channels/own", { remove_keys: ["0001"] }],
    ["PATCH", "/channels/own", { add_keys: ["sk-vendor-key-0003"] }],
  );
  const keys = [{ last_four: "0002" }, { last_four: "0003" }];
  expect(await shown("/channels/own")).toMatchObject({ keys });
});

test("a channel of the file is off, though somebody revives it at the same moment", async () => {
  const { atOnce, shown } = await setUp();
  await atOnce(
    ["PATCH", "/channels/filed", { enabled: false }],
    ["POST", "/channels/filed/revive", {}],
  );
  expect(await shown("/channels/filed")).toMatchObject({ enabled: false });
});

test("what two say of a model at the same moment is both said", async () => {
  const { atOnce, shown } = await setUp();
  await atOnce(
    ["PATCH", "/models/small-model", { context: 9_000 }],
    ["PATCH", "/models/small-model", { max_output: 999 }],
  );
  expect(await shown("/models/small-model")).toMatchObject({ context: 9_000, max_output: 999 });
});
