import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { OperatorRows } from "../../src/installation/tables/operator.ts";
import { TestServer } from "../server.ts";
import { copyFiles } from "../store/tables.ts";
import { keyFacts } from "../support/books.ts";
import { expectError } from "../support/errors.ts";
import { receipts } from "../support/houses/database.ts";
import { Parts, partsOfTest, perFile } from "../support/houses/house.ts";
import { serve, startServer } from "../support/houses/serving.ts";
import { type JsonObject, MODEL, RESPONSES } from "../support/samples/wires.ts";
import { type CommandResult, faregate, typed } from "./commands.ts";

const { server, database } = await perFile(serve);

/** A command beside the running server, as a person types it. */
const type = (...args: string[]) => typed(args, database.settings);

/** Its words, after it has ended well. */
async function words(...args: string[]): Promise<string> {
  const result = await type(...args);
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
  return result.stdout;
}

const json = <T = JsonObject>(...args: string[]) => server.command<T>(...args);
const ask = (key: string) => server.post("/responses", key, RESPONSES.request("Say one"));

/** A mistake of whoever typed it: one exit code, a line that says what is wrong, no trace. */
function expectMistake(result: CommandResult, message: RegExp): void {
  expect(result.code).toBe(2);
  expect(result.stdout).toBe("");
  expect(result.stderr).toStartWith("faregate: ");
  expect(result.stderr).toMatch(message);
  expect(result.stderr).not.toContain("    at ");
}

test("a key beyond those that an account may have is refused", async () => {
  const { id } = await json<{ id: string }>("account", "create", "--name", "Full");
  const settings = { ...database.settings, FAREGATE_KEYS_PER_ACCOUNT: "1" };
  const create = () => typed(["key", "create", "--account", id, "--name", "k", "--json"], settings);
  expect(await create()).toMatchObject({ code: 0, stderr: "" });
  const refused = await create();
  expect(refused.code).toBe(2);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "key_limit_reached" } });
  expect(refused.stderr).toContain("FAREGATE_KEYS_PER_ACCOUNT");
});

describe("accounts", () => {
  test("are created and listed", async () => {
    const { id } = await json<{ id: string }>("account", "create", "--name", "Ada");
    expect(id).toMatch(/^acct_/);
    expect(await words("account", "create", "--name", "Grace", "--hard")).toMatch(
      /^Account Grace is acct_\w+\n$/,
    );
    const { accounts } = await json<{ accounts: JsonObject[] }>("account", "list");
    const found = accounts.find((account) => account.id === id);
    expect(found).toMatchObject({ name: "Ada", balance: "0.0", keys: 0, operator: false });
    expect(accounts.find((account) => account.name === "Grace")).toMatchObject({ hard: true });
    expect(accounts.filter((account) => account.operator)).toHaveLength(1);
    const table = await words("account", "list");
    expect(table).toContain(id);
    expect(table).toContain("operator (operator)");
  });

  test("need a name", async () => {
    expectMistake(await type("account", "create"), /--name is missing/);
  });
});

describe("operator reset", () => {
  test.each([
    [["operator", "reset"], /one address/],
    [["operator", "reset", "a@example.com", "b@example.com"], /one address/],
    [
      ["operator", "reset", "nobody@example.com"],
      /there is no person with the address nobody@example.com/,
    ],
  ] as const)("%j is a mistake", async (args, message) => {
    expectMistake(await type(...args), message);
  });
});

describe("topup", () => {
  test("adds to the balance, which the next request can spend", async () => {
    const { accountId, key } = await server.account("0");
    await expectError(await ask(key), { status: 400, type: "budget_exceeded", code: "400" });
    const added = await json("topup", "--account", accountId, "10.00");
    expect(added).toMatchObject({
      account: accountId,
      amount: "10.0",
      credited: true,
      balance: "10.0",
    });
    expect((await ask(key)).status).toBe(200);
    expect(await words("topup", "--account", accountId, "0.5", "--note", "thanks")).toMatch(
      new RegExp(`^Added 0\\.5 USD to ${accountId}\\. The balance is 10\\.49\\d+ USD\\.\n$`),
    );
  });

  test("with an id counts once", async () => {
    const { accountId } = await server.account("0");
    const args = ["topup", "--account", accountId, "2", "--id", `order-${accountId}`];
    expect(await json(...args)).toMatchObject({ credited: true, balance: "2.0" });
    expect(await json(...args)).toMatchObject({ credited: false, balance: "2.0" });
    expect(await words(...args)).toContain("was credited before; nothing was added");
  });

  test("with an id of another account is a mistake, and gives neither anything", async () => {
    const [mine, theirs] = [await server.account("0"), await server.account("0")];
    const id = `order-of-${theirs.accountId}`;
    await json("topup", "--account", theirs.accountId, "2", "--id", id);
    const mistaken = await type("topup", "--account", mine.accountId, "2", "--id", id);
    expectMistake(mistaken, new RegExp(`--id ${id} was used for account ${theirs.accountId}`));
    const { accounts } = await json<{ accounts: JsonObject[] }>("account", "list");
    const balances = [mine, theirs].map(
      ({ accountId }) => accounts.find((account) => account.id === accountId)?.balance,
    );
    expect(balances).toEqual(["0.0", "2.0"]);
  });

  test("needs no account while the operator's is the only one, and then adds nothing without", async () => {
    await using parts = new Parts();
    const { server: fresh, database: own } = await serve(parts);
    const added = await fresh.command("topup", "1");
    expect(added).toMatchObject({ credited: true, balance: "6.0" });
    await fresh.command("account", "create", "--name", "Ada");
    expectMistake(
      await typed(["topup", "1"], own.settings),
      /--account is missing: .*account list/,
    );
    const { accounts } = await fresh.command<{ accounts: JsonObject[] }>("account", "list");
    expect(accounts.map(({ balance }) => balance)).toEqual(["6.0", "0.0"]);
    const named = await fresh.command("topup", "--account", String(added.account), "1");
    expect(named).toMatchObject({ account: added.account, balance: "7.0" });
  });

  test.each([
    [["topup"], /amount/],
    [["topup", "1", "2"], /amount once/],
    [["topup", "0"], /above zero/],
    [["topup", "-5"], /./],
    [["topup", "1e3"], /plain decimal/],
    [["topup", "ten"], /plain decimal/],
    [["topup", "0.0000000001"], /plain decimal/],
    [["topup", "99999999"], /plain decimal/],
    [["topup", "--account", "acct_none", "1"], /no account acct_none/],
  ] as const)("%j is a mistake", async (args, message) => {
    expectMistake(await type(...args), message);
  });
});

describe("keys", () => {
  test("are created with every setting, shown once, and listed without the secret", async () => {
    const { id: account } = await json<{ id: string }>("account", "create", "--name", "keys");
    const created = await json<{ id: string; key: string }>(
      ...["key", "create", "--account", account, "--name", "full", "--budget", "1.50"],
      ...["--rpm", "7", "--tpm", "8000", "--concurrency", "9", "--models", `${MODEL},lantern-2.1`],
      ...["--networks", "10.0.0.0/8,::1", "--expires", "2099-01-31T00:00:00Z", "--hard", "yes"],
      ...["--account-read", "yes", "--show-cost", "no"],
    );
    expect(Object.keys(created).sort()).toEqual(["id", "key"]);
    expect(created.key).toMatch(/^sk-fg-[A-Za-z0-9]{40,}$/);
    const { keys } = await json<{ keys: JsonObject[] }>("key", "list", "--account", account);
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({
      id: created.id,
      account,
      name: "full",
      last_four: created.key.slice(-4),
      enabled: true,
      budget: "1.5",
      used: "0.0",
      rpm: 7,
      tpm: 8_000,
      concurrency: 9,
      models: [MODEL, "lantern-2.1"],
      networks: ["10.0.0.0/8", "::1"],
      hard: true,
      account_read: true,
      show_cost: false,
      expires_at: "2099-01-31T00:00:00.000Z",
      last_used_at: null,
    });
    const table = await words("key", "list");
    expect(table).toContain(created.id);
    expect(table).toContain(`…${created.key.slice(-4)}`);
    expect(table).not.toContain(created.key);
  });

  test("have budgets by the day, week and month, of which each is changed by itself", async () => {
    const { keyId } = await server.account("1", "--budget", "9", "--budget-day", "1.50");
    const shown = async () => {
      const { keys } = await json<{ keys: JsonObject[] }>("key", "list");
      return keys.find(({ id }) => id === keyId) as { budget: string; budgets: JsonObject[] };
    };
    const first = await shown();
    expect(first).toMatchObject({
      budget: "9.0",
      budgets: [
        { amount: "9.0", period: "total", used: "0.0", held: "0.0", resets_at: null },
        { amount: "1.5", period: "day", time_zone: "UTC", used: "0.0" },
      ],
    });
    expect(String(first.budgets[1]?.resets_at)).toEndWith("T00:00:00.000Z");
    await json("key", "set", keyId, "--budget-day", "2", "--budget-month", "20");
    expect((await shown()).budgets).toMatchObject([
      { id: first.budgets[0]?.id, amount: "9.0" },
      { amount: "20.0", period: "month", time_zone: "UTC" },
      { id: first.budgets[1]?.id, amount: "2.0" },
    ]);
    expect(await words("key", "list")).toContain("9.0, 20.0 a month, 2.0 a day");
    await json("key", "set", keyId, "--time-zone", "asia/shanghai", "--budget", "none");
    const moved = await shown();
    expect(moved).toMatchObject({
      budget: null,
      budgets: [
        { amount: "20.0", period: "month", time_zone: "Asia/Shanghai" },
        { amount: "2.0", period: "day", time_zone: "Asia/Shanghai" },
      ],
    });
    expect(String(moved.budgets[1]?.resets_at)).toEndWith("T16:00:00.000Z");
    await json("key", "set", keyId, "--budget-week", "7", "--budget-day", "none", "--name", "n");
    expect((await shown()).budgets.map(({ period, time_zone }) => `${period} ${time_zone}`).sort())
      // A new one begins where the others do.
      .toEqual(["month Asia/Shanghai", "week Asia/Shanghai"]);
  });

  test("without an account belong to the operator", async () => {
    const { id } = await json<{ id: string }>("key", "create", "--name", "mine");
    const { keys } = await json<{ keys: JsonObject[] }>("key", "list");
    const { accounts } = await json<{ accounts: JsonObject[] }>("account", "list");
    const operator = accounts.find((account) => account.operator);
    expect(keys.find((key) => key.id === id)?.account).toBe(operator?.id ?? "");
    expect(await words("key", "create", "--name", "mine too")).toMatch(
      /^Key key_\w+ is\n\n {2}sk-fg-\w+\n\nIt is shown only now/,
    );
  });

  test("are disabled and enabled for the very next request", async () => {
    const { key, keyId } = await server.account("1");
    expect((await ask(key)).status).toBe(200);
    expect(await json("key", "disable", keyId)).toEqual({ id: keyId, enabled: false });
    await expectError(await ask(key), {
      status: 401,
      code: "invalid_api_key",
      message: /disabled/,
    });
    expect(await words("key", "enable", keyId)).toBe(`Key ${keyId} is enabled.\n`);
    expect((await ask(key)).status).toBe(200);
    expect(await words("key", "disable", keyId)).toBe(`Key ${keyId} is disabled.\n`);
    expect((await ask(key)).status).toBe(401);
    expect(await json("key", "enable", keyId)).toEqual({ id: keyId, enabled: true });
    expect((await ask(key)).status).toBe(200);
  });

  test("get another secret, beside which the one before works for a while or not at all", async () => {
    const { key, keyId } = await server.account("1");
    const rotated = await json<{ key: string }>("key", "rotate", keyId);
    expect(rotated).toMatchObject({ id: keyId, overlap_hours: 24 });
    for (const one of [key, rotated.key]) expect((await ask(one)).status).toBe(200);
    const said = await words("key", "rotate", keyId, "--overlap-hours", "0");
    const [, last = ""] = /^Key key_\w+ is from now on\n\n {2}(sk-fg-\w+)\n/.exec(said) ?? [];
    expect(said).toEndWith("The former secret no longer works.\n");
    expect((await ask(last)).status).toBe(200);
    await expectError(await ask(rotated.key), {
      status: 401,
      code: "invalid_api_key",
      message: /has a new secret/,
    });
    const long = await type("key", "rotate", keyId, "--overlap-hours", "721");
    expect([long.code, long.stderr]).toEqual([2, expect.stringContaining("at most 720")]);
  });

  test("have no more than five secrets of before that work", async () => {
    const { keyId } = await server.account("1");
    for (let turn = 0; turn < 5; turn++) await json("key", "rotate", keyId);
    const sixth = await type("key", "rotate", keyId);
    expect([sixth.code, sixth.stderr]).toEqual([2, expect.stringContaining("still work")]);
    await json("key", "rotate", keyId, "--overlap-hours", "0");
  });

  test("are deleted for good", async () => {
    const { key, keyId } = await server.account("1");
    expect(await words("key", "delete", keyId)).toBe(`Key ${keyId} is deleted.\n`);
    await expectError(await ask(key), { status: 401, code: "invalid_api_key", message: /deleted/ });
    const { keys } = await json<{ keys: JsonObject[] }>("key", "list");
    expect(keys.some(({ id }) => id === keyId)).toBe(false);
    expect((await type("key", "enable", keyId)).stderr).toContain(`there is no key ${keyId}`);
  });

  test("are changed for the very next request, and keep what is not named", async () => {
    const { key, keyId } = await server.account("1", "--budget", "0.000000001", "--rpm", "50");
    expect((await ask(key)).status).toBe(200);
    expect((await ask(key)).status).toBe(400);
    const changed = await json("key", "set", keyId, "--budget", "1", "--name", "renamed");
    expect(changed).toMatchObject({ id: keyId, name: "renamed", budget: "1.0", rpm: 50 });
    expect((await ask(key)).status).toBe(200);
    expect((await keyFacts(server, key)).limit).toBe("1.0");

    expect(await words("key", "set", keyId, "--budget", "none", "--models", "lantern-2.1")).toBe(
      `Key ${keyId} is changed.\n`,
    );
    expect(await keyFacts(server, key)).toMatchObject({ limit: null, remaining: null });
    expect((await ask(key)).status).toBe(404);
    await json("key", "set", keyId, "--models", "all", "--networks", "10.0.0.0/8");
    expect((await ask(key)).status).toBe(401);
    await json("key", "set", keyId, "--networks", "127.0.0.0/8", "--show-cost", "no");
    const answer = (await (await ask(key)).json()) as { usage: JsonObject };
    expect(answer.usage).not.toContainKey("cost");
  });

  test("end with the day that is named, where the terminal is", async () => {
    const { keyId } = await server.account("1");
    const args = ["key", "set", keyId, "--expires", "2099-01-31", "--json"];
    const { stdout } = await faregate(args, { ...database.settings, TZ: "Asia/Shanghai" });
    expect(JSON.parse(stdout)).toMatchObject({ expires_at: "2099-01-31T16:00:00.000Z" });
    expect(await json("key", "set", keyId, "--expires", "never")).toMatchObject({
      expires_at: null,
    });
  });

  test("that are at their end are shown so", async () => {
    const { accountId, key, keyId } = await server.account("1");
    const list = () => words("key", "list", "--account", accountId);
    expect(await list()).toMatch(/ enabled /);
    expect((await ask(key)).status).toBe(200);
    await server.within(({ store }) => store.accounts.updateKey(keyId, { expiresAtMs: 1 }));
    expect(await list()).toMatch(/ expired /);
    expect((await ask(key)).status).toBe(401);
    await json("key", "disable", keyId);
    expect(await list()).toMatch(/ disabled /);
  });

  test("may have models that were added in the console, and keep those that are gone", async () => {
    const id = "team/model-1";
    const added = new OperatorRows(await database.console());
    const definition = JSON.stringify({
      owned_by: "team",
      context: 8192,
      max_output: 1024,
      free: true,
    });
    await added.setModel({ id, definition, createdAtMs: 1 });
    const name = ["--name", "of the console"];
    const key = await json<{ id: string }>("key", "create", ...name, "--models", `${MODEL},${id}`);
    await added.removeModel(id);
    const said = await json("key", "set", key.id, "--models", id);
    expect(said.models).toEqual([id]);
    expectMistake(await type("key", "create", ...name, "--models", id), /no model "team\/model-1"/);
  });

  test.each([
    [["key", "create"], /--name is missing/],
    [["key", "create", "--name", "x", "--budget", "lots"], /--budget/],
    [["key", "create", "--name", "x", "--budget-week", "-1"], /--budget-week/],
    [["key", "create", "--name", "x", "--budget-day", "1", "--time-zone", "+2"], /--time-zone/],
    [["key", "create", "--name", "x", "--budget", "1", "--time-zone", "UTC"], /by the day, week/],
    [["key", "create", "--name", "x", "--rpm", "-1"], /./],
    [["key", "create", "--name", "x", "--rpm", "many"], /--rpm/],
    [["key", "create", "--name", "x", "--models", "no-such-1.0"], /no-such-1\.0/],
    [["key", "create", "--name", "x", "--networks", "nowhere"], /nowhere/],
    [["key", "create", "--name", "x", "--expires", "soon"], /--expires/],
    [["key", "create", "--name", "x", "--expires", "2020-01-01"], /has passed/],
    [["key", "create", "--name", "x", "--hard", "maybe"], /--hard/],
    [["key", "create", "--name", "x", "--account", "acct_none"], /acct_none/],
    [["key", "create", "--name", "x", "--colour", "red"], /colour/],
    [["key", "disable"], /name the key/],
    [["key", "disable", "key_none"], /no key key_none/],
    [["key", "set", "key_none", "--rpm", "1"], /no key key_none/],
    [["key", "set", "key_none"], /name at least one thing to change/],
    [["key", "disable", "key_none", "key_other"], /"key_other" is not expected/],
    [["key", "enable", "key_none", "key_other"], /"key_other" is not expected/],
    [["key", "delete", "key_none", "key_other"], /"key_other" is not expected/],
    [["key", "rotate", "key_none", "key_other"], /"key_other" is not expected/],
    [["key", "set", "key_none", "--name", "two", "words"], /"words" is not expected/],
    [["key", "create", "--name", "two", "words"], /"words" is not expected/],
    [["key", "list", "acct_none"], /"acct_none" is not expected/],
    [["account", "create", "--name", "two", "words"], /"words" is not expected/],
    [["account", "list", "all"], /"all" is not expected/],
    [["operator", "link", "me"], /"me" is not expected/],
    [["usage", "today"], /"today" is not expected/],
    [["serve", "new"], /"new" is not expected/],
    [["key", "polish"], /key takes one of create, list, set, disable, enable, rotate, delete\n/],
    [["key", "--json-or-so"], /key takes one of create, /],
    [["account", "polish"], /account takes one of create, list, set\n/],
    [["operator", "polish"], /operator takes one of link, reset\n/],
    [["secret", "polish"], /secret takes one of rotate, accept\n/],
    [["platform", "polish"], /platform takes one of account, account set, token\n/],
    [["draft", "polish"], /draft takes one of new, push, /],
    [["draft", "account", "polish"], /draft account takes one of add, ls, default\n/],
    [["dance"], /no command "dance"/],
  ] as const)("%j is a mistake", async (args, message) => {
    expectMistake(await type(...args), message);
  });
});

describe("the books", () => {
  test("show usage by day, key and model", async () => {
    const { accountId, key, keyId } = await server.account("1");
    await ask(key);
    await ask(key);
    await server.post("/responses", key, RESPONSES.request("Say one", { temperature: 9 }));
    const { used } = await keyFacts(server, key);
    const usage = await json<{ rows: JsonObject[] }>("usage", "--account", accountId);
    expect(usage).toMatchObject({ days: 30, requests: 3, failures: 1, cost: used });
    const row = usage.rows.find((entry) => entry.model === MODEL && entry.cost === used);
    expect(row).toMatchObject({ account: accountId, key: keyId });
    const table = await words("usage", "--key", keyId, "--days", "1");
    expect(table).toContain(MODEL);
    expect(table).toContain(`3 requests, 1 of them refused or failed, ${used} USD in 1 days.`);
  });

  test("know what a key used that is deleted", async () => {
    const { key, keyId } = await server.account("1");
    await ask(key);
    await json("key", "delete", keyId);
    expect(await json("usage", "--key", keyId)).toMatchObject({ requests: 1 });
  });

  test("of a key are not those of another account", async () => {
    const [mine, theirs] = [await server.account("1"), await server.account("1")];
    const result = await type("usage", "--account", mine.accountId, "--key", theirs.keyId);
    expectMistake(result, new RegExp(`${theirs.keyId} is of account ${theirs.accountId}`));
  });

  test.each([
    [["usage", "--account", "acct_none"], /no account acct_none/],
    [["usage", "--key", "key_none"], /no key key_none/],
    [["key", "list", "--account", "acct_none"], /no account acct_none/],
    [["usage", "--days", "0"], /--days must be a whole number of at least 1\n/],
    [["usage", "--days", "x"], /--days must be a whole number of at least 1\n/],
    [["key", "rotate", "key_none", "--overlap-hours", "x"], /hours must be a whole number\n/],
    [["key", "create", "--name", "x", "--rpm", "x"], /must be a whole number, 0 for no limit\n/],
  ] as const)("%j is a mistake", async (args, message) => {
    expectMistake(await type(...args), message);
  });

  test("are verified in words and as JSON", async () => {
    const verified = await json("verify");
    expect(verified).toMatchObject({ ok: true, open_holds: 0, problems: [] });
    expect(verified.receipts).toBe((await receipts(database)).length);
    expect(await words("verify")).toMatch(/^The ledger is right\.\n\d+ accounts, \d+ keys, /);
  });

  test("that are wrong end with exit code 1", async () => {
    await using parts = new Parts();
    const { server: other, database: wrong } = await serve(parts);
    await other.post("/responses", other.firstKey, RESPONSES.request("Say one"));
    await other.stop();
    await wrong.run("update scopes set used = used + 1 where kind = 'balance'");
    const told = await faregate(["verify", "--json"], wrong.settings);
    expect(told.code).toBe(1);
    const { ok, problems } = JSON.parse(told.stdout) as { ok: boolean; problems: string[] };
    expect(ok).toBe(false);
    expect(problems).toHaveLength(1);
    const said = await typed(["verify"], wrong.settings);
    expect(said.code).toBe(1);
    expect(said.stdout).toStartWith("The ledger is WRONG:");
  });
});

describe("bin/faregate", () => {
  test("runs the same commands, from any folder", async () => {
    const program = join(import.meta.dir, "..", "..", "bin", "faregate");
    const child = Bun.spawn(["node", program, "verify", "--json"], {
      cwd: database.settings.FAREGATE_DATA,
      env: { PATH: process.env.PATH ?? "", ...database.settings },
      stdout: "pipe",
    });
    expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject({ ok: true });
    expect(await child.exited).toBe(0);
  });
});

const empty = await perFile((parts) => parts.folder());

describe("without a database", () => {
  const missing = join(empty, "missing");

  test.each([
    [["account", "list"]],
    [["account", "create", "--name", "x"]],
    [["key", "list"]],
    [["key", "create", "--name", "x"]],
    [["topup", "1"]],
    [["usage"]],
    [["verify"]],
  ])("%j names the setting and makes nothing", async (args) => {
    const result = await typed(args, { FAREGATE_DATA: missing });
    expectMistake(result, /FAREGATE_DATA/);
    expect(existsSync(missing)).toBe(false);
  });

  test.each([
    [{ FAREGATE_PORT: "http" }, /FAREGATE_PORT/],
    [{ FAREGATE_SANDBOX: "maybe" }, /FAREGATE_SANDBOX/],
    [{ DATABASE_URL: "mysql://x" }, /DATABASE_URL/],
    [{ FAREGATE_KEEP_ALIVE_MS: "soon" }, /FAREGATE_KEEP_ALIVE_MS/],
  ])("a setting that cannot be read is named: %j", async (settings, message) => {
    expectMistake(await faregate(["serve"], { FAREGATE_DATA: missing, ...settings }), message);
    expect(existsSync(missing)).toBe(false);
  });

  test("help is given", async () => {
    for (const args of [[], ["help"], ["--help"], ["-h"], ["dance", "--help"]]) {
      const result = await typed(args, { FAREGATE_DATA: missing });
      expect(result.code).toBe(0);
      expect(result.stdout).toContain("faregate key create");
      expect(result.stdout).toContain("faregate serve");
    }
  });

  test.each([
    [["key"]],
    [["key", "--help"]],
    [["key", "create", "--help"]],
    [["key", "create", "-h"]],
    [["help", "key"]],
  ])("%j tells of the keys only, with their settings", async (args) => {
    const { code, stdout, stderr } = await typed(args, { FAREGATE_DATA: missing });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.split("\n").filter((line) => line.startsWith("  faregate "));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => !line.startsWith("  faregate key "))).toEqual([]);
    expect(stdout).toContain("\n\nSettings of a key:\n");
    expect(stdout).toContain("--expires");
    expect(stdout).not.toContain("Rights of a public account");
    expect(stdout).not.toContain("--theme");
  });

  test.each(["account", "operator", "secret", "draft"])(
    "%s alone tells what it takes",
    async (word) => {
      const { code, stdout } = await typed([word], { FAREGATE_DATA: missing });
      expect(code).toBe(0);
      expect(stdout).toStartWith(`  faregate ${word} `);
      expect(stdout).toBe((await typed([word, "--help"], {})).stdout);
      expect(existsSync(missing)).toBe(false);
    },
  );
});

describe("serve", () => {
  const parts = partsOfTest();
  const newFolder = () => join(parts.folder(), "data");
  /** With all tables in it and nobody's account: a process that makes them starts another one for that. */
  const madeFolder = async () => {
    const folder = newFolder();
    await copyFiles(folder);
    return folder;
  };
  const start = async (settings: Record<string, string>) =>
    parts.keep(await TestServer.start(settings));
  /** Where it is not the process that matters. */
  const startAny = async (settings: Record<string, string>) =>
    parts.keep(await startServer(settings));

  test("greets once: an account, its credit, a key; later only the address and a way in", async () => {
    const settings = { FAREGATE_DATA: newFolder() };
    const first = await start(settings);
    expect(first.greeting).toContain(first.url);
    expect(first.greeting).toContain("5.0 USD of trial credit");
    const answer = await first.post("/responses", first.firstKey, RESPONSES.request("Say one"));
    expect(answer.status).toBe(200);
    const before = await first.command("verify");
    expect(before).toMatchObject({ accounts: 1, keys: 1 });
    expect(await first.stop()).toBe(0);

    const second = await start(settings);
    const [serves, ...rest] = second.greeting.trim().split("\n");
    expect(serves).toBe(`Faregate serves ${second.url}`);
    // Nobody has taken the first link, so there is another one, and nothing else.
    expect(rest.at(-1)).toContain("/console/welcome#");
    expect(rest.filter((line) => line !== "")).toHaveLength(2);
    expect(second.greeting).not.toContain("sk-fg-");
    expect(await second.command("verify")).toEqual(before);
    const again = await second.post("/responses", first.firstKey, RESPONSES.request("Say one"));
    expect(again.status).toBe(200);
  });

  test.skipIf(!Bun.which("curl"))("prints a curl line that works when pasted", async () => {
    const { greeting } = await start({ FAREGATE_DATA: await madeFolder() });
    const line = /^ {2}curl (?:.*\\\n)+.*$/m.exec(greeting)?.[0] ?? "";
    expect(line).toContain("Authorization");
    const shell = Bun.spawn(["sh", "-c", line], { stdout: "pipe", stderr: "ignore" });
    const body = JSON.parse(await new Response(shell.stdout).text()) as JsonObject;
    expect(await shell.exited).toBe(0);
    expect(body).toMatchObject({ object: "response", status: "completed" });
    expect(body.output_text).not.toBe("");
  });

  test("shows the public address where there is one", async () => {
    const settings = { FAREGATE_DATA: newFolder(), FAREGATE_PUBLIC_URL: "http://fare.example/" };
    expect((await startAny(settings)).url).toBe("http://fare.example/v1");
  });

  test("is refused where another one serves, and takes over when that is gone", async () => {
    const settings = { FAREGATE_DATA: await madeFolder(), FAREGATE_PORT: "0" };
    const first = await start(settings);
    const result = await faregate(["serve"], settings);
    expectMistake(result, /Another "faregate serve" is running .*FAREGATE_DATA/);
    const answer = await first.post("/responses", first.firstKey, RESPONSES.request("Say one"));
    expect(answer.status).toBe(200);
    await first.kill();
    expect((await start(settings)).greeting).toContain("Faregate serves");
  });

  test("is refused on a port that is taken", async () => {
    const first = await startAny({ FAREGATE_DATA: newFolder() });
    const { port } = new URL(first.url);
    const settings = { FAREGATE_DATA: await madeFolder(), FAREGATE_PORT: port };
    const result = await faregate(["serve"], settings);
    expectMistake(result, /FAREGATE_PORT/);
  });

  test("leaves nothing but its files", async () => {
    const settings = { FAREGATE_DATA: newFolder() };
    const first = await startAny(settings);
    expect(await first.stop()).toBe(0);
    const names = readdirSync(settings.FAREGATE_DATA).filter((name) => !/-(?:wal|shm)$/.test(name));
    expect(names.sort()).toEqual([
      "books.lock",
      "console.sqlite",
      "faregate.sqlite",
      "holds.map",
      "journal.mark",
      "responses.sqlite",
      "secret.key",
      "serve.lock",
    ]);
    const said = (await first.errors).split("\n").filter((line) => line !== "");
    expect(said.filter((line) => !/"event":"process_(?:started|stopped)"/.test(line))).toEqual([]);
  });

  test("the commands work while nobody serves", async () => {
    const settings = { FAREGATE_DATA: newFolder() };
    const first = await startAny(settings);
    await first.stop();
    const { key } = await first.account("1", "--budget", "1");
    const second = await startAny(settings);
    expect(await keyFacts(second, key)).toMatchObject({ limit: "1.0", used: "0.0" });
  });
});
