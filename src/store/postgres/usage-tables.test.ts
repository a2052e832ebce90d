import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { sharedPostgres } from "../../../test/engines/postgres.ts";
import { POSTGRES } from "../../../test/store/engines.ts";
import { partsOfTest, perTest } from "../../../test/support/houses/house.ts";
import { listed } from "../reads/usage-sums.ts";
import { Connections } from "./connections.ts";
import { migrate } from "./migrate.ts";
import { TABLES } from "./schema.ts";
import { USAGE_BY_ROWS } from "./usage-tables.ts";

/** Whoever writes rows of rollups, of whatever version: many by one statement, new ones among those that are raised. */
function written(rows: readonly string[]): string {
  return `insert into rollups (account_id, key_id, model, hour, ${listed((name) => name)})
    values ${rows.map((row) => `(${row})`).join(", ")}
    on conflict (account_id, key_id, model, hour) do update
      set ${listed((name) => `${name} = rollups.${name} + excluded.${name}`)}`;
}

const SUMS = listed((name) => `sum(${name})::text as ${name}`);
const CELLS = listed((name) => `${name}::text`);

describe("sums of usage on PostgreSQL", () => {
  const here = perTest(async (parts) => {
    const site = await POSTGRES.site(parts);
    // The tables come with whoever serves first.
    const store = await site.open();
    return { site, store };
  });

  test("are those of the rows that they are of, however these are written", async () => {
    const { site } = here;
    await site.run(
      written([
        "'a', 'k', 'm', 23, 1, 0, 1, 2, 3, 4, 5, 6",
        "'a', 'k', 'n', 23, 1, 1, 1, 1, 1, 1, 1, 1",
        "'a', 'k', 'm', 24, 1, 0, 9, 9, 9, 9, 9, 9007199254740993",
        "'b', 'l', 'm', 23, 1, 0, 7, 7, 7, 7, 7, 7",
      ]),
    );
    await site.run(
      written([
        "'a', 'k', 'm', 23, 1, 0, 10, 20, 30, 40, 50, 60",
        "'b', 'l', 'o', 23, 2, 0, 1, 1, 1, 1, 1, 1",
      ]),
    );
    // What was interrupted is taken back.
    await site.run("update rollups set output = output - 1, cost = cost - 5 where model = 'm'");
    // Nobody does that but by hand.
    await site.run("update rollups set hour = hour + 24 where model = 'n'");
    const hours = "account_id, hour";
    const left = (table: string) => `${table} where requests <> 0`;
    const ofHours = `select ${hours}, ${CELLS} from ${left("usage_hours")} order by ${hours}`;
    expect(await site.run(ofHours)).toEqual(
      await site.run(`select ${hours}, ${SUMS} from rollups group by ${hours} order by ${hours}`),
    );
    const days = "account_id, hour / 24 as day, key_id, model";
    const names = "account_id, day, key_id, model";
    const ofDays = await site.run(`select ${names}, ${CELLS} from ${left("usage_days")}
      order by ${names}`);
    expect(ofDays).toEqual(
      await site.run(`select ${days}, ${SUMS} from rollups
        group by account_id, hour / 24, key_id, model order by ${names}`),
    );
    expect(ofDays).toHaveLength(5);
  });
});

describe("an upgrade of the sums of usage", () => {
  const parts = partsOfTest();

  test("goes on from those that were kept before it, while somebody reads them", async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const connections = parts.keep(new Connections(url, 2, 500));
    const at = TABLES.versions.indexOf(USAGE_BY_ROWS);
    await migrate(connections, true, { ...TABLES, versions: TABLES.versions.slice(0, at) });
    const row = "'a', 'k', 'm', 23, 1, 0, 1, 2, 3, 4, 5, 6";
    await connections.run(written([row]), []);
    const reader = parts.adopt(new SQL(url, { max: 1 }), (opened) => opened.close({ timeout: 0 }));
    await reader.begin(async (reading) => {
      await reading.unsafe("select 1 from rollups");
      await migrate(connections, true, TABLES, 0);
    });
    await connections.run(written([row]), []);
    for (const table of ["usage_hours", "usage_days"]) {
      const sums = await connections.run(`select ${CELLS} from ${table}`, []);
      expect([...sums]).toEqual([
        {
          ...{ requests: "2", failures: "0", fresh: "2", cache_read: "4" },
          ...{ cache_write: "6", cache_write_long: "8", output: "10", cost: "12" },
        },
      ]);
    }
  });
});
