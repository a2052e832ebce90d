// `faregate upgrade --check` on both databases: what it says of a database of this version, of an older and of a newer one.
import { describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ENGINES, type Site } from "../store/engines.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { typed } from "./commands.ts";

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
}

async function checked(site: Site, more: Record<string, string> = {}) {
  const settings = { ...site.settings, FAREGATE_PORT: "0", ...more };
  const { code, stdout, stderr } = await typed(["upgrade", "--check", "--json"], settings);
  expect(stderr).toBe("");
  const told = JSON.parse(stdout) as { can_start: boolean; to_do: number; findings: Finding[] };
  for (const { state, message, fix } of told.findings) {
    expect(`${message}${fix}`).not.toMatch(/[{}]/);
    if (state !== "ok") expect(fix).not.toBeNull();
  }
  const one = (check: string) => told.findings.find((each) => each.check === check);
  return { ...told, code, one };
}

const parts = partsOfTest();

describe.each(ENGINES)("faregate upgrade --check on $name", (engine) => {
  const isSqlite = engine.name === "SQLite";

  async function filled(): Promise<Site> {
    const site = await engine.site(parts);
    await (await site.open()).close();
    return site;
  }

  /** The marks of the last version that only adds are taken away: its text is pending, as before an upgrade. */
  const forgetLast = (site: Site) =>
    site.run(
      `delete from applied_versions where room = 'money' and version =
        (select max(version) from applied_versions where room = 'money')`,
    );

  test("has nothing to say of an empty folder or database, and makes nothing", async () => {
    const site = await engine.emptySite(parts);
    const told = await checked(site);
    expect({ code: told.code, tables: told.one("tables")?.code }).toEqual({
      code: 0,
      tables: "tables_none",
    });
    expect(existsSync(join(site.settings.FAREGATE_DATA, "faregate.sqlite"))).toBe(false);
  });

  test("finds nothing to do for the tables of this version", async () => {
    const told = await checked(await filled());
    expect(told).toMatchObject({ code: 0, can_start: true, to_do: 0 });
    expect(told.one("tables")?.code).toBe("tables_current");
  });

  test("names the tables that change, asks for a backup, and says that going back works", async () => {
    const site = await filled();
    await forgetLast(site);
    const told = await checked(site);
    expect(told.one("tables")?.message).toMatch(/money \d+ → \d+/);
    expect(told.one("return")).toMatchObject({ state: "ok" });
    expect(told.one("backup")).toMatchObject({
      state: "warning",
      code: isSqlite ? "backup_none" : "backup_by_dump",
    });
    expect(told.code).toBe(1);
    // Nothing was changed: the next look finds the same.
    expect((await checked(site)).one("tables")).toEqual(told.one("tables"));
  });

  test("refuses what a newer program wrote, with 2", async () => {
    const site = await filled();
    await site.run(
      isSqlite ? "pragma user_version = 1000" : "update schema_version set version = 1000",
    );
    const told = await checked(site);
    expect(told).toMatchObject({ code: 2, can_start: false });
    expect(told.one("tables")?.code).toBe("tables_refused");
  });

  test("says which servers run, and that they go on", async () => {
    const site = await filled();
    const store = await site.open();
    try {
      await forgetLast(site);
      expect((await checked(site)).one("instances")).toMatchObject({
        state: "ok",
        code: "instances_go_on",
      });
    } finally {
      await store.close();
    }
  });

  test("names a setting that it does not know", async () => {
    const told = await checked(await filled(), { FAREGATE_PROT: "1" });
    expect(told).toMatchObject({ code: 1, can_start: true });
    expect(told.one("environment")?.state).toBe("ok");
    expect(told.findings.map(({ code }) => code)).toContain("setting_misspelt");
  });
});

test("a backup is noted in its folder, and forgotten when its file is gone", async () => {
  const [sqlite] = ENGINES;
  if (sqlite?.name !== "SQLite") throw new Error("SQLite comes first");
  const site = await sqlite.site(parts);
  await (await site.open()).close();
  const file = join(parts.folder(), "b.tar");
  expect((await typed(["backup", file], { ...site.settings })).code).toBe(0);
  expect((await checked(site)).one("backup")?.code).toBe("backup_fresh");
  rmSync(file);
  expect((await checked(site)).one("backup")?.code).toBe("backup_old");
});

test("upgrade without --check changes nothing and says how it is typed", async () => {
  const site = await (ENGINES[0] as (typeof ENGINES)[number]).emptySite(parts);
  const { code, stderr } = await typed(["upgrade"], { ...site.settings });
  expect(code).toBe(2);
  expect(stderr).toContain("--check");
});
