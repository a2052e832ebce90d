// `faregate doctor`, on both databases, with vendors and servers that stand on this machine.
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Accounts } from "../../src/accounts/accounts.ts";
import { createVault } from "../../src/lib/secrets/vault.ts";
import { sumOf } from "../../src/store/secret/secret-fit.ts";
import { SecretRow } from "../../src/store/secret/secret-row.ts";
import { ServingRow } from "../../src/store/serving-row.ts";
import { ENGINES } from "../store/engines.ts";
import { admitted, customer } from "../store/samples.ts";
import { partsOfTest, perSuite } from "../support/houses/house.ts";
import { typed } from "./commands.ts";

interface Report {
  readonly ok: boolean;
  readonly problems: number;
  readonly warnings: number;
  readonly findings: readonly {
    readonly check: string;
    readonly state: string;
    readonly code: string;
    readonly message: string;
    readonly fix: string | null;
    readonly values: Readonly<Record<string, string | number>>;
  }[];
}

/** What it says, and nothing of it without its values or without what to do. */
async function examined(settings: Record<string, string>) {
  const result = await typed(["doctor", "--json"], settings);
  expect(result.stderr).toBe("");
  const told = JSON.parse(result.stdout) as Report;
  expect(result.code).toBe(told.ok ? 0 : 1);
  for (const { state, message, fix } of told.findings) {
    expect(`${message}${fix}`).not.toMatch(/[{}]/);
    if (state !== "ok") expect(fix).not.toBeNull();
  }
  /** But for the disk of this very machine, which may be busy or full. */
  const codes = (state: string) =>
    told.findings
      .filter((each) => each.state === state && each.check !== "disk")
      .map(({ code }) => code);
  const one = (code: string) => told.findings.find((each) => each.code === code);
  return { ...told, codes, one };
}

/** As a server that says it is well. */
function healthy() {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ status: "ok" }),
  });
}

describe.each(ENGINES)("faregate doctor on $name", (engine) => {
  const site = perSuite(async (parts) => {
    const made = await engine.site(parts);
    await (await made.open()).close();
    return made;
  });
  const parts = partsOfTest();
  /** Nobody may be asked but who is on this machine, and no port is taken. */
  const settings = () => ({ ...site.settings, FAREGATE_PORT: "0" });

  test("finds an installation well that has no vendor yet", async () => {
    const { ok, codes, one } = await examined(settings());
    expect([ok, codes("problem"), codes("warning")]).toEqual([true, [], ["vendor_none"]]);
    expect(codes("ok")).toEqual(
      expect.arrayContaining([
        ...["runtime", "settings", "database_opens", "schema_current", "server_none"],
        ...["clock_steady", "port_any", "prices_none", "holds_none", "sums_right"],
      ]),
    );
    // SQLite goes by the clock of the machine itself.
    expect(one("clock_agrees") !== undefined).toBe(engine.name === "PostgreSQL");
    expect(JSON.stringify(codes("ok").map(one))).not.toContain("@");
  });

  test("knows the server that runs on it, and its port from that of others", async () => {
    const server = healthy();
    parts.defer(() => server.stop(true));
    const port = { FAREGATE_PORT: String(server.port) };
    const taken = await examined({ ...settings(), ...port });
    expect(taken.codes("problem")).toEqual(["port_taken"]);
    const store = await site.open();
    await new ServingRow(store.sql).save(`http://127.0.0.1:${server.port}`);
    await store.close();
    const ours = await examined({ ...settings(), ...port });
    expect(ours.codes("ok")).toEqual(expect.arrayContaining(["server_runs", "port_ours"]));
    await server.stop(true);
    // Whoever was killed has said so before.
    const dead = await examined({ ...settings(), ...port });
    expect(dead.codes("warning")).toContain("server_dead");
    expect(dead.codes("ok")).toContain("port_free");
  });

  test("finds that the secret is another one than the database was sealed with", async () => {
    const store = await site.open();
    const sealed = "the secret that this database was sealed with";
    const row = { sum: sumOf(createVault(sealed)), nextSum: null, resealed: false };
    await new SecretRow(store.sql).save(row);
    await store.close();
    const fitting = await examined({ ...settings(), FAREGATE_SECRET: sealed });
    expect(fitting.codes("ok")).toContain("secret_fits");
    const other = await examined({ ...settings(), FAREGATE_SECRET: `${sealed}, not` });
    expect(other.codes("problem")).toEqual(["secret_other"]);
    const none = await examined(settings());
    expect(none.codes("problem")).toEqual(["secret_missing"]);
    const tables = await site.console();
    await tables.query("delete from installation_secret");
    await tables.close();
  });

  test("tells holds that run from those that nobody will end", async () => {
    const store = await site.open();
    await admitted(store, await customer(store, { credit: 100n }), 50n);
    const running = await examined(settings());
    await store.close();
    const left = await examined(settings());
    // On SQLite whoever opens the books next has given the money back.
    const after = engine.name === "PostgreSQL" ? "holds_left" : "holds_none";
    expect(running.one("holds_running")?.values.count).toBe(1);
    expect(left.one(after)).toBeDefined();
  });

  test("finds sums that are wrong", async () => {
    const store = await site.open();
    const { id: accountId } = await new Accounts(store.accounts, Date.now, 0).createAccount("a");
    const credit = { id: "top_1", accountId, kind: "topup", note: "", amount: 5n } as const;
    await store.ledger.credit({ ...credit, createdAtMs: Date.now() });
    await store.close();
    await site.run(`update scopes set max = max + 1 where id = '${accountId}'`);
    const { codes, one } = await examined(settings());
    expect(codes("problem")).toEqual(["sums_wrong"]);
    expect(one("sums_wrong")?.message).toContain(accountId);
  });

  test("tells tables of another version, and leaves them as they are", async () => {
    const isSqlite = engine.name === "SQLite";
    const write = (version: number) =>
      site.run(
        isSqlite
          ? `pragma user_version = ${version}`
          : `update schema_version set version = ${version}`,
      );
    const read = async () =>
      Object.values(
        (
          await site.run(isSqlite ? "pragma user_version" : "select version from schema_version")
        )[0] ?? {},
      ).map(Number);
    await site.run("delete from applied_versions where version > 3");
    await write(3);
    const older = await examined(settings());
    expect([older.ok, older.one("schema_old")?.values.found]).toEqual([true, 3]);
    expect(await read()).toEqual([3]);
    await write(999);
    const newer = await examined(settings());
    expect(newer.codes("problem")).toEqual(["schema_new"]);
    expect(newer.one("sums_right")).toBeUndefined();
    expect(await read()).toEqual([999]);
  });
});

describe("faregate doctor without a database", () => {
  const parts = partsOfTest();

  test("makes nothing, and says how one is made", async () => {
    const FAREGATE_DATA = `${parts.folder()}/none`;
    const { ok, codes } = await examined({ FAREGATE_DATA, FAREGATE_PORT: "0" });
    expect([ok, codes("warning")]).toEqual([true, ["database_missing", "vendor_none"]]);
    expect(existsSync(FAREGATE_DATA)).toBe(false);
  });

  test("says that one cannot be reached, and not its password", async () => {
    const told = await examined({
      FAREGATE_DATA: parts.folder(),
      FAREGATE_PORT: "0",
      DATABASE_URL: "postgres://u:s3cret@127.0.0.1:1/none",
    });
    expect(told.codes("problem")).toEqual(["database_closed"]);
    expect(JSON.stringify(told.findings)).not.toContain("s3cret");
  });

  test("looks at the folder: who may read it, and whether it can be written to", async () => {
    const FAREGATE_DATA = parts.folder();
    chmodSync(FAREGATE_DATA, 0o755);
    const { one } = await examined({ FAREGATE_DATA, FAREGATE_PORT: "0" });
    expect(one("disk_open")?.fix).toBe(`Run: chmod go-rwx ${FAREGATE_DATA}`);
    expect(one("disk_room") ?? one("disk_short")).toBeDefined();
    expect(one("disk_flush") ?? one("disk_slow")).toBeDefined();
  });

  test("says what is wrong with the settings, and ends there", async () => {
    const told = await examined({ FAREGATE_DATA: parts.folder(), FAREGATE_PORT: "x" });
    expect(told.codes("problem")).toEqual(["settings_wrong"]);
    expect(told.one("settings_wrong")?.message).toContain('FAREGATE_PORT is "x"');
  });

  test("speaks Chinese where that is spoken, but not to programs", async () => {
    const settings = { FAREGATE_DATA: parts.folder(), FAREGATE_PORT: "0", FAREGATE_LANG: "zh" };
    const { stdout, code } = await typed(["doctor"], settings);
    expect(code).toBe(0);
    expect(stdout).toContain("警告  供应商");
    expect(stdout).toContain("→ 设置供应商的密钥");
    expect(stdout).toMatch(/\n\n问题：\d+，警告：\d+。\n$/);
    expect((await examined(settings)).one("vendor_none")?.message).toContain("only the sandbox");
  });
});

describe("faregate doctor asks vendors", () => {
  const parts = partsOfTest();

  /** A vendor that answers each key as told, by a clock of its own. */
  function vendor(statuses: Readonly<Record<string, number>>, apartMs = 0) {
    const asked: string[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const key = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
        asked.push(`${request.method} ${new URL(request.url).pathname}`);
        const date = new Date(Date.now() + apartMs).toUTCString();
        return Response.json({ data: [] }, { status: statuses[key] ?? 500, headers: { date } });
      },
    });
    parts.defer(() => server.stop(true));
    const settings = {
      FAREGATE_DATA: parts.folder(),
      FAREGATE_PORT: "0",
      OPENAI_API_KEY: Object.keys(statuses).join(","),
      OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1`,
    };
    return { asked, settings };
  }

  test("once with each key, and names none of them in full", async () => {
    const keys = {
      "sk-good-0000-aaaa": 200,
      "sk-gone-0000-bbbb": 401,
      "sk-busy-0000-cccc": 429,
      "sk-down-0000-dddd": 503,
      "sk-none-0000-eeee": 404,
    };
    const { asked, settings } = vendor(keys);
    const told = await examined(settings);
    expect(asked).toEqual(Object.keys(keys).map(() => "GET /v1/models"));
    const words = told.findings
      .filter(({ check }) => check === "vendors")
      .map(({ code, state, values }) => [code, state, values.key]);
    expect(words).toEqual([
      ["key_taken", "ok", "…aaaa"],
      ["key_refused", "problem", "…bbbb"],
      ["key_limited", "warning", "…cccc"],
      ["vendor_fails", "problem", undefined],
      ["key_unasked", "ok", "…eeee"],
    ]);
    for (const key of Object.keys(keys)) expect(JSON.stringify(told)).not.toContain(key);
    expect(told.one("clock_agrees")?.values.other).toBe("openai");
    expect(told.one("prices_none")).toBeUndefined();
  });

  test("and takes no price of faregate.yaml for an old one, which cannot say when it was looked up", async () => {
    const { settings } = vendor({ "sk-good-0000-aaaa": 200 });
    const FAREGATE_CONFIG = join(parts.folder(), "faregate.yaml");
    const price = { input: "0.05", output: "0.20" };
    const model = {
      id: "campus-7.1",
      owned_by: "campus",
      context: 32_768,
      max_output: 8_192,
      price,
    };
    const channel = {
      ...{ id: "campus", vendor: "custom", base_url: settings.OPENAI_BASE_URL },
      ...{ keys: ["sk-good-0000-aaaa"], models: ["campus-7.1"] },
    };
    writeFileSync(FAREGATE_CONFIG, JSON.stringify({ channels: [channel], models: [model] }));
    const { OPENAI_API_KEY: _none, ...rest } = settings;
    const { one } = await examined({ ...rest, FAREGATE_CONFIG });
    expect(one("prices_old")).toBeUndefined();
    expect(one("prices_undated")).toMatchObject({ state: "ok", values: { count: 1 } });
  });

  test("for the time too", async () => {
    const { settings } = vendor({ "sk-good-0000-aaaa": 200 }, -7_200_000);
    const { one } = await examined(settings);
    expect(one("clock_differs")).toMatchObject({ state: "problem" });
  });

  test("and says of one that is not there that it is not", async () => {
    const { settings } = vendor({ "sk-good-0000-aaaa": 200 });
    const { one } = await examined({ ...settings, OPENAI_BASE_URL: "http://127.0.0.1:1/v1" });
    expect(one("vendor_away")?.values.channel).toBe("openai");
  });
});
