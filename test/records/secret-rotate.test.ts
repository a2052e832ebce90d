// A new secret for all that is sealed: nothing is lost, a run that was killed is finished by the next,
// and no server works with half of it.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { checkSecret } from "../../src/compose/check-secret.ts";
import { changeSecret } from "../../src/compose/secret.ts";
import { SecretError } from "../../src/compose/secret-error.ts";
import { STORED_ANSWERS, sealedConversations } from "../../src/conversations/sealing.ts";
import { newId } from "../../src/lib/ids.ts";
import { createByteSeal, isBound } from "../../src/lib/secrets/byte-seal.ts";
import { createVault, openVault, type Vault } from "../../src/lib/secrets/vault.ts";
import { ROOMS } from "../../src/store/migrations/rooms.ts";
import { SIGN_IN_COLUMNS, VAULT_COLUMNS } from "../../src/store/secret/sealed-columns.ts";
import type { Store } from "../../src/store/store.ts";
import { typed } from "../cli/commands.ts";
import type { TestServer } from "../server.ts";
import { onEngines, POSTGRES, type Site, SQLITE } from "../store/engines.ts";
import { failureOf } from "../store/samples.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { startServer } from "../support/houses/serving.ts";
import { sealedAsBefore } from "../support/samples/older-seal.ts";

const OLD = "the secret of the environment, before";
const NEXT = "the secret of the environment, after";
const CHANNEL = "insert into operator_channels values ($1, '{}', $2, 0, 0, 0)";
const FACTOR = `insert into auth_two_factor (id, secret, "backupCodes", "userId") values ($1, $2, $3, 'u')`;
const PERSON = `insert into auth_user (id, name, email, "emailVerified", "createdAt", "updatedAt")
  values ('u', 'Ada', 'ada@example.com', 1, '', '')`;

const parts = partsOfTest();

/** Ends a server well, and only then goes on. */
async function served<T>(
  site: Site,
  settings: Record<string, string>,
  work: (server: TestServer) => Promise<T>,
): Promise<T> {
  const server = await startServer({ ...site.settings, ...settings });
  try {
    return await work(server);
  } finally {
    expect(await server.stop()).toBe(0);
    await server.kill();
  }
}

async function storing<T>(site: Site, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await site.open({ serve: false });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function addSecrets(site: Site, vault: Vault): Promise<void> {
  const key = vault.derive("sessions");
  const sealed = (data: string) => symmetricEncrypt({ key, data });
  await storing(site, async ({ sql }) => {
    for (const id of ["ch_1", "ch_2"]) await sql.query(CHANNEL, [id, vault.seal(`key of ${id}`)]);
    await sql.query(PERSON);
    await sql.query(FACTOR, ["2fa_1", await sealed("totp"), await sealed("codes")]);
  });
}

/** What those rows say to whoever has this secret. */
async function secretsBy(site: Site, vault: Vault) {
  return storing(site, async ({ sql }) => {
    const channels = await sql.query<{ secrets: string }>(
      "select secrets from operator_channels order by id",
    );
    const factors = await sql.query<{ secret: string; backupCodes: string }>(
      'select secret, "backupCodes" from auth_two_factor',
    );
    const key = vault.derive("sessions");
    return [
      ...channels.map(({ secrets }) => vault.open(secrets)),
      ...(await Promise.all(
        factors.flatMap(({ secret, backupCodes }) =>
          [secret, backupCodes].map((data) => symmetricDecrypt({ key, data })),
        ),
      )),
    ];
  });
}

/** As a process that has the database to itself. */
const alone = (store: Store) => ({ ...store, othersServe: async () => false });

/** The same, but it dies after so many writes. */
function killedAfter(store: Store, writes: number) {
  let left = writes;
  const alive = () => {
    left -= 1;
    if (left < 0) throw new Error("killed");
  };
  const sql: Store["sql"] = {
    async query(text, params) {
      if (!/^\s*select/.test(text)) alive();
      return store.sql.query(text, params);
    },
    nowMs: () => store.sql.nowMs(),
    transaction: (work) => store.sql.transaction(work),
  };
  const bodies: Store["bodies"] = {
    bodies: (...args) => store.bodies.bodies(...args),
    async replaceBodies(...args) {
      alive();
      return store.bodies.replaceBodies(...args);
    },
  };
  return { ...alone(store), sql, bodies };
}

const RESPONSE = Buffer.from("a response");
const READER = { accountId: "acct_1", keyId: "key_1" };
const sealedBy = (store: Store, vault: Vault) =>
  sealedConversations(store.conversations, createByteSeal(vault, STORED_ANSWERS));

/** Into the store as it is, or into one that seals. */
async function addResponse(
  store: Store["conversations"],
  body: Uint8Array = RESPONSE,
): Promise<string> {
  const id = newId("resp_");
  const times = { createdAtMs: 1, expiresAtMs: 1_000 };
  const record = { ...READER, ...times, id, parentId: null, itemIds: [], body };
  await store.save(record, 1_000_000);
  return id;
}

async function responseBy(store: Store, vault: Vault, id: string): Promise<string | undefined> {
  const found = await sealedBy(store, vault).find(id, READER, 2);
  return found && Buffer.from(found.body).toString();
}

const ALL = ["key of ch_1", "key of ch_2", "totp", "codes"];

const rotate = (site: Site, settings: Record<string, string> = {}) =>
  typed(["secret", "rotate", "--json"], { ...site.settings, ...settings });

async function askFirst(server: TestServer): Promise<{ id: string; key: string }> {
  const key = server.firstKey;
  const body = { model: "sandbox-1.0", input: "remember the word Lark" };
  const headers = { "idempotency-key": "once" };
  const { id } = (await (await server.post("/responses", key, body, headers)).json()) as {
    id: string;
  };
  return { id, key };
}

async function expectKept(server: TestServer, { id, key }: { id: string; key: string }) {
  expect((await server.fetch(`/responses/${id}`, key)).status).toBe(200);
  const body = { model: "sandbox-1.0", input: "remember the word Lark" };
  const again = await server.post("/responses", key, body, { "idempotency-key": "once" });
  expect(again.headers.get("x-faregate-idempotency")).toBe("replay");
  expect(((await again.json()) as { id: string }).id).toBe(id);
}

/** All that may be sealed for a public account that is called otherwise than by its AppSecret. */
const ACCESS = ["proxy", "source", "component_secret", "token", "ticket", "refresh"].map(
  (what) => `sealed_${what}`,
);

async function addAccess(site: Site, vault: Vault): Promise<void> {
  const values = ACCESS.map((_, at) => `$${at + 2}`).join(", ");
  const text = `insert into public_account_access (public_account_id, credential, token_until, ticket_at,
    ${ACCESS.join(", ")}) values ($1, 'component', 1, 1, ${values})`;
  await storing(site, async ({ sql }) => {
    const sealed = ACCESS.map((column) => vault.seal(`${column} of pub_1`));
    await sql.query(text, ["pub_1", ...sealed]);
    // One that has none of them.
    await sql.query(text, ["pub_2", ...ACCESS.map(() => null)]);
  });
}

async function accessBy(site: Site, vault: Vault): Promise<readonly (readonly string[])[]> {
  return storing(site, async ({ sql }) => {
    const rows = await sql.query<Record<string, string | null>>(
      `select ${ACCESS.join(", ")} from public_account_access order by public_account_id`,
    );
    return rows.map((row) =>
      ACCESS.flatMap((column) => (row[column] == null ? [] : [vault.open(row[column])])),
    );
  });
}

onEngines("on $name", (engine) => {
  test("what public accounts are called by is sealed anew, and only by the new one opened", async () => {
    const site = await engine.site(parts);
    const settings = { FAREGATE_SECRET: OLD };
    await served(site, settings, async () => {});
    await addAccess(site, createVault(OLD));
    const { code, stdout } = await rotate(site, { ...settings, FAREGATE_SECRET_NEXT: NEXT });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ resealed: ACCESS.length, unreadable: 0 });
    const whole = ACCESS.map((column) => `${column} of pub_1`);
    expect(await accessBy(site, createVault(NEXT))).toEqual([whole, []]);
    expect(await failureOf(accessBy(site, createVault(OLD)))).toBeInstanceOf(Error);
  });

  test("a new file takes the place of the old one, and everything is there as before", async () => {
    const site = await engine.site(parts);
    const folder = site.settings.FAREGATE_DATA;
    const asked = await served(site, {}, askFirst);
    const before = readFileSync(join(folder, "secret.key"), "utf8");
    await addSecrets(site, openVault(undefined, folder));
    const { code, stdout, stderr } = await rotate(site);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // Two channels, both halves of a second factor, the response and the answer under the value.
    expect(JSON.parse(stdout)).toEqual({ resealed: 6, unreadable: 0 });
    expect(readFileSync(join(folder, "secret.key"), "utf8")).not.toBe(before);
    expect(existsSync(join(folder, "secret.key.next"))).toBe(false);
    expect(await secretsBy(site, openVault(undefined, folder))).toEqual(ALL);
    expect(await failureOf(secretsBy(site, createVault(before.trim())))).toBeInstanceOf(Error);
    await served(site, {}, (server) => expectKept(server, asked));
  });

  test("a secret of the environment is changed by naming both", async () => {
    const site = await engine.site(parts);
    const asked = await served(site, { FAREGATE_SECRET: OLD }, askFirst);
    await addSecrets(site, createVault(OLD));
    const alone = await rotate(site, { FAREGATE_SECRET: OLD });
    expect([alone.code, alone.stderr]).toEqual([
      2,
      expect.stringContaining("FAREGATE_SECRET_NEXT"),
    ]);
    const both = { FAREGATE_SECRET: OLD, FAREGATE_SECRET_NEXT: NEXT };
    expect((await rotate(site, both)).code).toBe(0);
    expect(await secretsBy(site, createVault(NEXT))).toEqual(ALL);
    // Whoever forgets to set it is told, before anything is sealed with the old one again.
    const late = startServer({ ...site.settings, FAREGATE_SECRET: OLD });
    expect(String(await failureOf(late))).toContain("Set FAREGATE_SECRET to the new one");
    // Once more, before any server has seen the end of the first.
    const third = `${NEXT}, and once more`;
    const more = { FAREGATE_SECRET: NEXT, FAREGATE_SECRET_NEXT: third };
    expect((await rotate(site, more)).code).toBe(0);
    await served(site, { FAREGATE_SECRET: third }, (server) => expectKept(server, asked));
  });

  test("one that is killed anywhere is finished by the next, and nobody works with half of it", async () => {
    const [old, next] = [createVault(OLD), createVault(NEXT)];
    const site = await engine.site(parts);
    await addSecrets(site, old);
    await storing(site, async (store) => {
      await checkSecret(store, old);
      const id = await addResponse(sealedBy(store, old));
      let killed = 0;
      for (;;) {
        const done = await changeSecret(killedAfter(store, killed + 1), old, next).catch(
          () => undefined,
        );
        if (done) break;
        killed += 1;
        for (const vault of [old, next]) {
          expect(await failureOf(checkSecret(store, vault))).toBeInstanceOf(SecretError);
        }
        const another = changeSecret(alone(store), old, createVault(`${NEXT}, another`));
        expect(await failureOf(another)).toBeInstanceOf(SecretError);
        const wrong = changeSecret(alone(store), createVault(`${OLD}, mistyped`), next);
        expect(await failureOf(wrong)).toBeInstanceOf(SecretError);
      }
      // Each run gets one write further than the one before: after the state, among the channels, in
      // the middle of a second factor, and before it is written down that all is done.
      expect(killed).toBe(4);
      expect(await failureOf(checkSecret(store, old))).toBeInstanceOf(SecretError);
      await checkSecret(store, next);
      expect(await responseBy(store, next, id)).toBe("a response");
      expect(await responseBy(store, old, id)).toBeUndefined();
    });
    expect(await secretsBy(site, next)).toEqual(ALL);
  });

  test("a secret that is not the one in use is refused, and everything stays as it was", async () => {
    const site = await engine.site(parts);
    const folder = site.settings.FAREGATE_DATA;
    const asked = await served(site, { FAREGATE_SECRET: OLD }, askFirst);
    await addSecrets(site, createVault(OLD));
    const mistyped = { FAREGATE_SECRET: `${OLD}, mistyped`, FAREGATE_SECRET_NEXT: NEXT };
    const wrong = await rotate(site, mistyped);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("is not the one that")]);
    // Forgotten: neither is one made in its place, nor is another's file taken for it.
    for (const settings of [{}, { FAREGATE_SECRET_NEXT: NEXT }]) {
      const forgotten = await rotate(site, settings);
      expect([forgotten.code, forgotten.stderr]).toEqual([
        2,
        expect.stringContaining("FAREGATE_SECRET is not set"),
      ]);
      expect(existsSync(join(folder, "secret.key"))).toBe(false);
    }
    writeFileSync(join(folder, "secret.key"), "a file of long ago, with a secret of its own\n");
    expect((await rotate(site)).stderr).toContain("is not the one that");
    expect(existsSync(join(folder, "secret.key.next"))).toBe(false);
    expect(await secretsBy(site, createVault(OLD))).toEqual(ALL);
    await served(site, { FAREGATE_SECRET: OLD }, (server) => expectKept(server, asked));
  });

  test("bodies that were sealed before seals were bound to their rows are bound", async () => {
    const [old, next] = [createVault(OLD), createVault(NEXT)];
    const site = await engine.site(parts);
    await storing(site, async (store) => {
      await checkSecret(store, old);
      // The second by a change that an earlier version began.
      const ids = [];
      for (const vault of [old, next]) {
        const body = sealedAsBefore(vault, STORED_ANSWERS, RESPONSE);
        ids.push(await addResponse(store.conversations, body));
      }
      expect(await responseBy(store, old, ids[0] ?? "")).toBe("a response");
      const done = await changeSecret(alone(store), old, next);
      expect(done).toEqual({ rows: 2, unreadable: 0 });
      for (const id of ids) expect(await responseBy(store, next, id)).toBe("a response");
      const bodies = await store.bodies.bodies("responses", undefined);
      expect(bodies.map(({ body }) => isBound(body))).toEqual([true, true]);
    });
  });

  test("it is not done beside a server, which goes on as before", async () => {
    const site = await engine.site(parts);
    const settings = { FAREGATE_SECRET: OLD };
    await served(site, settings, async (server) => {
      const asked = await askFirst(server);
      const refused = await rotate(site, { ...settings, FAREGATE_SECRET_NEXT: NEXT });
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(/running on/);
      await expectKept(server, asked);
    });
    await served(site, settings, async () => {});
  });
});

test("a killed run with a file is finished, whether or not the file has taken its place", async () => {
  for (const taken of [false, true]) {
    const site = await SQLITE.site(parts);
    const folder = site.settings.FAREGATE_DATA;
    const asked = await served(site, {}, askFirst);
    await addSecrets(site, openVault(undefined, folder));
    const { nextSecret, takeNextSecret } = await import("../../src/lib/secrets/secret-file.ts");
    const next = createVault(nextSecret(folder));
    await storing(site, (store) =>
      changeSecret(
        { ...store, othersServe: async () => false },
        openVault(undefined, folder),
        next,
      ),
    );
    if (taken) takeNextSecret(folder);
    expect((await rotate(site)).code).toBe(0);
    expect(await secretsBy(site, openVault(undefined, folder))).toEqual(ALL);
    expect(existsSync(join(folder, "secret.key.next"))).toBe(false);
    await served(site, {}, (server) => expectKept(server, asked));
  }
});

test("a secret that neither opens is left and counted", async () => {
  const site = await POSTGRES.site(parts);
  await storing(site, async (store) => {
    const lost = createVault("a secret that somebody has lost by now").seal("x");
    await store.sql.query(CHANNEL, ["ch_lost", lost]);
    const done = await changeSecret(alone(store), createVault(OLD), createVault(NEXT));
    expect(done).toEqual({ rows: 0, unreadable: 1 });
    const same = changeSecret(alone(store), createVault(NEXT), createVault(NEXT));
    expect(await failureOf(same)).toBeInstanceOf(SecretError);
  });
});

test("every column that looks sealed is among those that are sealed anew", () => {
  const known = [...VAULT_COLUMNS, ...SIGN_IN_COLUMNS].map(
    ({ table, column }) => `${table}.${column}`,
  );
  const columns = ROOMS.flatMap(({ versions }) => versions).flatMap((text) =>
    [...text.matchAll(/create table (\w+) \(([\s\S]*?)\n\s*\);/g)].flatMap(([, table, body = ""]) =>
      body
        .split("\n")
        .map((line) => /^\s*"?(\w*(?:secret|sealed|Token|backupCodes)\w*)"? text/i.exec(line)?.[1])
        .filter((column) => column !== undefined)
        .map((column) => `${table}.${column}`),
    ),
  );
  const others = [
    // Sums, and what is thrown away with the secret.
    "draft_tokens.secret_sum",
    "draft_tokens.sealed",
    "installation_secret.secret_sum",
    // The library keeps these as they are.
    "auth_account.idToken",
    "auth_account.accessTokenExpiresAt",
    "auth_account.refreshTokenExpiresAt",
    "auth_session.token",
  ];
  expect(columns.filter((column) => !known.includes(column) && !others.includes(column))).toEqual(
    [],
  );
  expect(known.filter((column) => !columns.includes(column))).toEqual([]);
});
