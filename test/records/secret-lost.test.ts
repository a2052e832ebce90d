// A change of the secret that did not come to its end: what a backup of then is worth, and how it ends where one of
// the two secrets is lost.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkedVault } from "../../src/compose/check-secret.ts";
import { changeSecret } from "../../src/compose/secret.ts";
import { readConfig } from "../../src/config/config.ts";
import { findOwnSecret, nextSecret, takeNextSecret } from "../../src/lib/secrets/secret-file.ts";
import { createVault, type Vault } from "../../src/lib/secrets/vault.ts";
import type { Store } from "../../src/store/store.ts";
import { typed } from "../cli/commands.ts";
import { type Site, SQLITE } from "../store/engines.ts";
import { failureOf } from "../store/samples.ts";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();
const CHANNELS = ["ch_1", "ch_2"];
const NEXT = "the next secret, which only the environment has";
const STALE = "a secret of long ago, with which nothing is sealed";

async function storing<T>(site: Site, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await site.open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const folderOf = ({ settings }: Site) => settings.FAREGATE_DATA;
const vaultOf = (site: Site, store: Store) => checkedVault(store, readConfig(site.settings));
/** What a server does with the secret before it serves. */
const served = (site: Site) => storing(site, (store) => vaultOf(site, store));

/** One row is sealed with the next secret and one with the other, and the command is interrupted. */
async function beginChange(site: Site, nextText?: string): Promise<{ old: Vault; next: Vault }> {
  return storing(site, async (store) => {
    const old = await vaultOf(site, store);
    for (const id of CHANNELS) {
      const channel = "insert into operator_channels values ($1, '{}', $2, 0, 0, 0)";
      await store.sql.query(channel, [id, old.seal(`key of ${id}`)]);
    }
    const next = createVault(nextText ?? nextSecret(folderOf(site)));
    let resealed = 0;
    const query: typeof store.sql.query = async (text, params) => {
      if (/^\s*update/.test(text) && resealed++ > 0) throw new Error("interrupted");
      return store.sql.query(text, params);
    };
    const cut = { ...store, othersServe: async () => false, sql: { ...store.sql, query } };
    expect((await failureOf(changeSecret(cut, old, next))).message).toBe("interrupted");
    return { old, next };
  });
}

/** Which rows whoever has this secret can read. */
function readableBy(site: Site, vault: Vault): Promise<boolean[]> {
  return storing(site, async ({ sql }) => {
    const rows = await sql.query<{ secrets: string }>(
      "select secrets from operator_channels order by id",
    );
    return rows.map(({ secrets }) => {
      try {
        return vault.open(secrets).startsWith("key of");
      } catch {
        return false;
      }
    });
  });
}

const typedAt = (site: Site, ...words: string[]) => typed(words, site.settings);

describe("a change that was interrupted", () => {
  test("is finished with both secrets at hand, and never given up", async () => {
    const site = await SQLITE.site(parts);
    const { next } = await beginChange(site);
    const refused = await typedAt(site, "secret", "accept");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/did not finish.*"faregate secret rotate"/),
    ]);
    expect(await typedAt(site, "secret", "rotate")).toMatchObject({ code: 0, stderr: "" });
    expect(await readableBy(site, next)).toEqual([true, true]);
    await served(site);
  });

  test.each(["secret.key", "secret.key.next"] as const)(
    "ends without %s where that is lost, and what the other one opens stays",
    async (name) => {
      const site = await SQLITE.site(parts);
      const { old, next } = await beginChange(site);
      const kept = name === "secret.key" ? next : old;
      const before = await readableBy(site, kept);
      expect(before.toSorted()).toEqual([false, true]);
      rmSync(join(folderOf(site), name));
      expect((await failureOf(served(site))).name).toBe("SecretError");
      const rotated = await typedAt(site, "secret", "rotate");
      expect(rotated.code).toBe(2);
      if (name === "secret.key.next") expect(rotated.stderr).toContain('"faregate secret accept"');
      expect(await typedAt(site, "secret", "accept")).toMatchObject({ code: 0, stderr: "" });
      const vault = await served(site);
      expect(vault.derive("sum")).toBe(kept.derive("sum"));
      expect(await readableBy(site, vault)).toEqual(before);
      expect(existsSync(join(folderOf(site), "secret.key.next"))).toBe(false);
    },
  );
});

describe("a change to FAREGATE_SECRET_NEXT that was interrupted", () => {
  test.each([
    ["no file is", []],
    ["a file of an earlier try is", ["secret.key.next"]],
    ["a file of long ago is", ["secret.key", "secret.key.next"]],
  ])("ends with that one where the other is lost and %s there", async (_what, stale) => {
    const site = await SQLITE.site(parts);
    const { next } = await beginChange(site, NEXT);
    const before = await readableBy(site, next);
    rmSync(join(folderOf(site), "secret.key"));
    for (const name of stale) writeFileSync(join(folderOf(site), name), STALE);
    const settings = { ...site.settings, FAREGATE_SECRET_NEXT: NEXT };
    const { code, stdout } = await typed(["secret", "accept"], settings);
    expect([code, stdout]).toEqual([0, expect.stringContaining("FAREGATE_SECRET_NEXT")]);
    const config = readConfig({ ...site.settings, FAREGATE_SECRET: NEXT });
    const vault = await storing(site, (store) => checkedVault(store, config));
    expect(await readableBy(site, vault)).toEqual(before);
    expect(findOwnSecret(folderOf(site))).toBe(stale.includes("secret.key") ? STALE : undefined);
  });
});

describe("a third secret beside a file that is left of a change", () => {
  test("in the environment is not taken for it", async () => {
    const site = await SQLITE.site(parts);
    const { old } = await beginChange(site, NEXT);
    const refused = await typed(["secret", "accept"], { ...site.settings, FAREGATE_SECRET: STALE });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("Remove FAREGATE_SECRET,"),
    ]);
    expect(await typedAt(site, "secret", "accept")).toMatchObject({ code: 0, stderr: "" });
    expect((await served(site)).derive("sum")).toBe(old.derive("sum"));
  });

  test("in secret.key is neither taken for it nor overwritten", async () => {
    const site = await SQLITE.site(parts);
    const { next } = await beginChange(site);
    const path = join(folderOf(site), "secret.key");
    writeFileSync(path, STALE);
    const refused = await typedAt(site, "secret", "accept");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("Remove the file secret.key,"),
    ]);
    expect(findOwnSecret(folderOf(site))).toBe(STALE);
    rmSync(path);
    expect(await typedAt(site, "secret", "accept")).toMatchObject({ code: 0, stderr: "" });
    expect((await served(site)).derive("sum")).toBe(next.derive("sum"));
  });
});

describe("a backup with the secret", () => {
  const restored = async (file: string) => {
    const site = await SQLITE.emptySite(parts);
    const { code, stdout } = await typedAt(site, "restore", file, "--json");
    expect(code).toBe(0);
    return { site, facts: JSON.parse(stdout) };
  };

  test("is not made in the middle of a change; one without it says so when it is restored", async () => {
    const site = await SQLITE.site(parts);
    const { old } = await beginChange(site);
    const file = join(parts.folder(), "b.tar");
    const refused = await typedAt(site, "backup", file, "--with-secret");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("secret rotate") });
    expect(existsSync(file)).toBe(false);
    expect((await typedAt(site, "backup", file)).code).toBe(0);
    const { site: place, facts } = await restored(file);
    expect(facts).toMatchObject({ secret: "changing" });
    // Only the secret of before is left: it opens its part, and a server starts with it.
    writeFileSync(join(folderOf(place), "secret.key"), findOwnSecret(folderOf(site)) ?? "");
    expect((await typedAt(place, "secret", "accept")).code).toBe(0);
    expect((await served(place)).derive("sum")).toBe(old.derive("sum"));
    expect((await readableBy(place, old)).toSorted()).toEqual([false, true]);
  });

  test("is made when every row is sealed anew only with the secret that opens them", async () => {
    const site = await SQLITE.site(parts);
    await beginChange(site);
    const next = createVault(nextSecret(folderOf(site)));
    const [early, late] = [join(parts.folder(), "a.tar"), join(parts.folder(), "b.tar")];
    await storing(site, async (store) => {
      const alone = { ...store, othersServe: async () => false };
      await changeSecret(alone, createVault(findOwnSecret(folderOf(site)) ?? ""), next);
    });
    // The command was interrupted before the new file took its place, and then after it.
    expect(await typedAt(site, "backup", early, "--with-secret")).toMatchObject({ code: 2 });
    takeNextSecret(folderOf(site));
    expect(await typedAt(site, "backup", late, "--with-secret")).toMatchObject({ code: 0 });
    const { site: place, facts } = await restored(late);
    expect(facts).toMatchObject({ secret: "fits" });
    expect(await readableBy(place, await served(place))).toEqual([true, true]);
  });

  test("is not made with a file that is not the installation's secret", async () => {
    const site = await SQLITE.site(parts);
    await served(site);
    const path = join(folderOf(site), "secret.key");
    const right = readFileSync(path);
    writeFileSync(path, "the secret of after a change, or of long ago\n");
    const file = join(parts.folder(), "b.tar");
    const refused = await typedAt(site, "backup", file, "--with-secret");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not the secret"),
    });
    writeFileSync(path, right);
    expect(await typedAt(site, "backup", file, "--with-secret")).toMatchObject({ code: 0 });
    expect((await restored(file)).facts).toMatchObject({ secret: "fits" });
  });
});
