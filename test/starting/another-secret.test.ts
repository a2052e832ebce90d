// A database that was sealed with one secret, and a server that has another.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkedVault, checkSecret } from "../../src/compose/check-secret.ts";
import { SecretError } from "../../src/compose/secret-error.ts";
import { createVault, type Vault } from "../../src/lib/secrets/vault.ts";
import { typed } from "../cli/commands.ts";
import { TestServer } from "../server.ts";
import { ENGINES } from "../store/engines.ts";
import { failureOf } from "../store/samples.ts";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();
const [LOST, FOUND] = [
  "the secret that everything was sealed with",
  "another one that has as many characters",
];

describe.each(ENGINES)("on $name", (engine) => {
  test("it does not start, unless somebody says that the one before is lost", async () => {
    const { settings } = await engine.site(parts);
    const serve = async (FAREGATE_SECRET: string) => {
      const server = await TestServer.startHere({ ...settings, FAREGATE_SECRET });
      expect(await server.stop()).toBe(0);
    };
    await serve(LOST);
    const refused = await failureOf(serve(FOUND));
    expect(refused).toBeInstanceOf(SecretError);
    expect(refused.message).toContain('"faregate secret accept"');
    await serve(LOST);
    const accept = () =>
      typed(["secret", "accept", "--json"], { ...settings, FAREGATE_SECRET: FOUND });
    expect(await accept()).toMatchObject({ code: 0, stdout: '{"accepted":true}\n' });
    await serve(FOUND);
    expect(await failureOf(serve(LOST))).toBeInstanceOf(SecretError);
  });

  test("where its file is gone it does not start, and no other file takes its place", async () => {
    const site = await engine.site(parts);
    const { settings } = site;
    const file = join(settings.FAREGATE_DATA, "secret.key");
    const serve = async () => {
      const server = await TestServer.startHere(settings);
      expect(await server.stop()).toBe(0);
    };
    await serve();
    const right = readFileSync(file);
    rmSync(file);
    const refused = await failureOf(serve());
    expect(refused).toBeInstanceOf(SecretError);
    expect(refused.message).toContain("there is none here");
    expect(existsSync(file)).toBe(false);
    for (const command of ["operator reset ada@example.com", "platform account", "draft ls"]) {
      const { code, stderr } = await typed(command.split(" "), settings);
      expect([code, stderr]).toEqual([2, expect.stringContaining("there is none here")]);
      expect(existsSync(file)).toBe(false);
    }
    writeFileSync(file, right, { mode: 0o600 });
    await serve();
    // Where it is lost, whoever says so gets a new one.
    rmSync(file);
    expect(await typed(["secret", "accept"], settings)).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(file)).not.toEqual(right);
    await serve();
  });

  test("of several that come first with folders of their own, those that are refused leave no file", async () => {
    const store = await (await engine.site(parts)).open();
    const folders = [parts.folder(), parts.folder(), parts.folder()];
    const checks = await Promise.allSettled(
      folders.map((dataDir) => checkedVault(store, { secret: undefined, dataDir })),
    );
    const accepted = checks.map(({ status }) => status === "fulfilled");
    expect(accepted.filter((isAccepted) => isAccepted)).toHaveLength(1);
    expect(folders.map((folder) => existsSync(join(folder, "secret.key")))).toEqual(accepted);
  });

  test("of several that come first with one folder, all have its file", async () => {
    const store = await (await engine.site(parts)).open();
    const place = { secret: undefined, dataDir: parts.folder() };
    // Another one makes file and row while this one asks for the row.
    let other: ReturnType<typeof checkedVault> | undefined;
    const query: typeof store.sql.query = async (...args) => {
      other ??= checkedVault(store, place);
      await other;
      return store.sql.query(...args);
    };
    const vault = await checkedVault({ sql: { ...store.sql, query } }, place);
    expect((await other)?.open(vault.seal("kept"))).toBe("kept");
  });

  test("one that is refused leaves the file that another installation made in its folder meanwhile", async () => {
    const [store, other] = [
      await (await engine.site(parts)).open(),
      await (await engine.site(parts)).open(),
    ];
    const place = { secret: undefined, dataDir: parts.folder() };
    let made: Promise<Vault> | undefined;
    const query: typeof store.sql.query = async <Row>(...args: Parameters<typeof query>) => {
      const rows = await store.sql.query<Row>(...args);
      if (!made) {
        made = checkedVault(other, place);
        await made;
        await checkSecret(store, createVault("the secret of a server elsewhere"));
      }
      return rows;
    };
    const refused = checkedVault({ sql: { ...store.sql, query } }, place);
    expect((await failureOf(refused)).message).toContain("sealed with another secret");
    expect((await checkedVault(other, place)).open((await made)?.seal("kept") ?? "")).toBe("kept");
  });

  test("of several that come first with secrets of their own, one stays", async () => {
    const store = await (await engine.site(parts)).open();
    const vaults = ["one", "two", "three"].map((name) => createVault(`the secret of ${name}`));
    const checks = await Promise.allSettled(vaults.map((vault) => checkSecret(store, vault)));
    expect(checks.map(({ status }) => status).toSorted()).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    const [first] = vaults.filter((_, at) => checks[at]?.status === "fulfilled");
    if (first) await checkSecret(store, first);
  });
});
