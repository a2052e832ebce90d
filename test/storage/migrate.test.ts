// An installation moves from its files into PostgreSQL, and a server goes on there as if nothing had been.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { itemName } from "../../src/conversations/item-name.ts";
import { MARK_SQL } from "../../src/store/migrations/hard-balances.ts";
import { ROOMS } from "../../src/store/migrations/rooms.ts";
import { moveToPostgres } from "../../src/store/moving/move.ts";
import type { Step } from "../../src/store/progress.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { typed } from "../cli/commands.ts";
import { ForgetfulPooler } from "../engines/forgetful-pooler.ts";
import { TestServer } from "../server.ts";
import { POSTGRES, type Site } from "../store/engines.ts";
import { admitted, failureOf, voidHold } from "../store/samples.ts";
import { partsOfTest, perSuite } from "../support/houses/house.ts";
import { RESPONSES } from "../support/samples/wires.ts";

const NAMES = Array.from({ length: 12 }, (_, i) => `question ${i}`);
/** With those of the request that was open, and of the one that is a line of the journal. */
const RECEIPTS = NAMES.length + 2;
/** What texts may have that databases stumble over. */
const ODD = "a\0b \\ \"quoted\" 'it''s' 狐狸 🦊 {x} \\x41 \t\n";
const HUGE = 2n ** 62n + 3n;
/** Ids of items as earlier releases kept them: one that no index of PostgreSQL takes, and one that it cannot write. */
const ITEM_IDS = [crypto.getRandomValues(new Uint8Array(2_000)).toHex(), "msg_\0"];
const BYTES = Uint8Array.from({ length: 256 }, (_, i) => i);

async function ask(server: TestServer, key: string, name: string) {
  const headers = { "idempotency-key": name };
  const answer = await server.post("/responses", key, RESPONSES.request(`Say ${name}`), headers);
  const body = (await answer.json()) as { id: string };
  expect(answer.status).toBe(200);
  return { id: body.id, body, word: answer.headers.get("x-faregate-idempotency") };
}

/** Rows that no server would write so, each with something odd. */
function addOddities(folder: string, accountId: string): void {
  const console = new Database(join(folder, "console.sqlite"));
  console.run("insert into preferences (user_id, language) values ('odd', ?)", [ODD]);
  console.close();
  const responses = new Database(join(folder, "responses.sqlite"));
  responses.run("insert into responses values ('resp_odd', ?, 'k', null, 1, ?, 256, ?)", [
    accountId,
    HUGE,
    BYTES,
  ]);
  for (const id of ITEM_IDS) {
    responses.run("insert into response_items values (?, 'resp_odd')", [id]);
  }
  responses.close();
}

/**
 * The files as somebody leaves them who is killed with a request open, and with one that has ended of which there is
 * no more than a line of the journal.
 */
async function killed(folder: string, place: string, key: { id: string; accountId: string }) {
  const store = await openSqlite(folder, { create: false, serve: true, rooms: ROOMS });
  await admitted(store, key, 30n);
  await voidHold(store, await admitted(store, key, 30n));
  for (const name of readdirSync(folder).filter((each) =>
    /sqlite(?:-wal)?$|map$|key$/.test(each),
  )) {
    copyFileSync(join(folder, name), join(place, name));
  }
  await store.close();
  return place;
}

/** All rows of all files. */
function contents(folder: string): Record<string, unknown[][]> {
  const found: Record<string, unknown[][]> = {};
  for (const file of ["faregate.sqlite", "responses.sqlite", "console.sqlite"]) {
    const db = new Database(join(folder, file), { safeIntegers: true });
    const tables = db.query("select name from sqlite_schema where type = 'table'").values();
    for (const [name] of tables) found[`${name}`] = db.query(`select * from "${name}"`).values();
    db.close();
  }
  return found;
}

describe("faregate migrate --to", () => {
  const house = perSuite(async (parts) => {
    const folder = join(parts.folder(), "data");
    const server = await TestServer.startHere({ FAREGATE_DATA: folder });
    const { key, keyId, accountId } = await server.account("5", "--rpm", "0", "--budget-day", "3");
    const answers = await Promise.all(NAMES.map((name) => ask(server, key, name)));
    await server.command("key", "rotate", (await server.account("1")).keyId);
    const accounts = await server.command("account", "list");
    await server.stop();
    addOddities(folder, accountId);
    const left = await killed(folder, parts.folder(), { id: keyId, accountId });
    const copy = () => {
      const place = join(parts.folder(), "data");
      cpSync(left, place, { recursive: true });
      return place;
    };
    return { copy, key, accountId, answers, accounts };
  });
  const target = perSuite(POSTGRES.site);
  const parts = partsOfTest();

  const migrate = (folder: string, { settings }: Pick<Site, "settings">, ...more: string[]) =>
    typed(["migrate", "--to", settings.DATABASE_URL ?? "", ...more], { FAREGATE_DATA: folder });

  test("that fails on its way leaves no row", async () => {
    await (await target.open({ serve: false })).close();
    await target.run("alter table receipts add constraint never check (id = '')");
    const failed = await migrate(house.copy(), target);
    expect(failed).toMatchObject({ code: 2, stdout: "" });
    expect(failed.stderr).toMatch(/nothing was moved, and the files did not change.*"never"/);
    expect(failed.stderr).not.toMatch(/\n\s+at /);
    expect(await target.run("select id from accounts")).toEqual([]);
    await target.run("alter table receipts drop constraint never");
  });

  test("is given up until the last moment, and then leaves no row", async () => {
    const { settings } = target;
    const asked = {
      dataDir: house.copy(),
      url: settings.DATABASE_URL ?? "",
      acceptProblems: false,
    };
    const giveUp = async (step: Step, done: number) => {
      if (step === "proving" && done === 1) throw new Error("given up");
    };
    expect((await failureOf(moveToPostgres(asked, giveUp))).message).toBe("given up");
    expect(await target.run("select id from accounts")).toEqual([]);
  });

  test("keeps nothing where what arrived is not what was sent", async () => {
    await target.run("create rule swallow as on insert to former_secrets do instead nothing");
    const folder = house.copy();
    // Which ends what was open there, so that nothing is left for the move to change.
    expect(await typed(["verify"], { FAREGATE_DATA: folder })).toMatchObject({ code: 0 });
    const before = contents(folder);
    const failed = await migrate(folder, target);
    expect(contents(folder)).toEqual(before);
    expect(failed).toMatchObject({ code: 2, stdout: "" });
    expect(failed.stderr).toContain("SQLite: former_secrets: 1 rows");
    expect(failed.stderr).toContain("PostgreSQL: former_secrets: 0 rows");
    expect(await target.run("select id from accounts")).toEqual([]);
    await target.run("drop rule swallow on former_secrets");
  });

  test("brings everything over, after all that failed, and a server goes on there", async () => {
    const folder = house.copy();
    const { code, stdout, stderr } = await migrate(folder, target, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const moved = JSON.parse(stdout);
    expect(moved).toMatchObject({ receipts: RECEIPTS, problems: [] });
    const [hold] = await target.run("select count(*) as open from holds");
    expect(hold).toEqual({ open: 0n });
    const { run, settings } = target;
    // The line of the journal tells another time than its id does.
    const astray = "select r.status from astray_receipts a join receipts r using (account_id, id)";
    expect(await run(astray)).toEqual([{ status: 503 }]);
    expect(await run("select language from preferences where user_id = 'odd'")).toEqual([
      { language: ODD.replace("\0", "\ufffd") },
    ]);
    const [odd] = await run("select expires_at, body from responses where id = 'resp_odd'");
    expect(odd).toEqual({ expires_at: HUGE, body: Buffer.from(BYTES) });
    const items = await run("select item_id from response_items where response_id = 'resp_odd'");
    expect(items.map((row) => row.item_id).toSorted()).toEqual(ITEM_IDS.map(itemName).toSorted());

    const server = await TestServer.startHere({ ...settings, FAREGATE_DATA: folder });
    try {
      expect(await server.command("account", "list")).toEqual(house.accounts);
      const [first] = house.answers;
      expect(await ask(server, house.key, NAMES[0] as string)).toEqual({
        ...(first as NonNullable<typeof first>),
        word: "replay",
      });
      // It was sealed there, and is opened here.
      expect((await server.fetch(`/responses/${first?.id}`, house.key)).status).toBe(200);
      await ask(server, house.key, "something new");
      expect(await server.command("verify")).toMatchObject({
        ok: true,
        receipts: RECEIPTS + 1,
        entries: moved.entries + 1,
      });
    } finally {
      await server.stop();
    }
    const again = await migrate(folder, target);
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("installation (accounts"),
    });
  });

  test("refuses while a server runs, and files whose books are wrong unless they are accepted", async () => {
    const folder = house.copy();
    const empty = await POSTGRES.site(parts);
    const server = await TestServer.startHere({ FAREGATE_DATA: folder });
    const running = await migrate(folder, empty, "--json");
    expect(running).toMatchObject({ code: 2, stderr: expect.stringContaining("stop it first") });
    expect(JSON.parse(running.stdout)).toMatchObject({ error: { code: "database_in_use" } });
    await server.stop();
    const db = new Database(join(folder, "faregate.sqlite"));
    db.run("update scopes set max = max + 1 where id = ?", [house.accountId]);
    db.close();
    const wrong = await migrate(folder, empty);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("does not hold") });
    // By way of a pooler, which keeps no session.
    const pooler = new ForgetfulPooler(String(empty.settings.DATABASE_URL), "refused");
    parts.defer(() => pooler.stop());
    const settings = { ...empty.settings, DATABASE_URL: `${pooler.url}?prepare=false` };
    const accepted = await migrate(folder, { settings }, "--accept-problems");
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining("does not hold") });
  });

  test("leaves it to the first server there to say that balances are hard, where none said it here", async () => {
    const folder = house.copy();
    const db = new Database(join(folder, "faregate.sqlite"));
    db.run(MARK_SQL);
    db.close();
    const empty = await POSTGRES.site(parts);
    expect(await migrate(folder, empty)).toMatchObject({ code: 0 });
    const warnings: string[] = [];
    const warn = (event: string) => void warnings.push(event);
    for (let starts = 0; starts < 2; starts++) {
      await (await empty.open({ log: { warn, info() {}, error() {} } })).close();
    }
    expect(warnings).toEqual(["balances_are_hard"]);
  });

  test.each([
    [["migrate"], {}, /--to is missing/],
    [["migrate", "--to", "mysql://x"], {}, /must be the address of a PostgreSQL/],
    [["migrate", "--to", "postgres://h/d"], { DATABASE_URL: "postgres://h/e" }, /already/],
    [["migrate", "--to", "postgres://u:s3cretword@127.0.0.1:1/d"], {}, /nothing was moved/],
  ] as const)("%j is answered with what to do", async (args, settings, told) => {
    const { code, stderr } = await typed(args, { FAREGATE_DATA: house.copy(), ...settings });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(told) });
    expect(stderr).not.toMatch(/s3cretword|\n\s+at /);
  });
});
