// What a copy of the database tells whoever has no secret: nothing of what was asked or answered.
import { expect, test } from "bun:test";
import { Accounts } from "../../src/accounts/accounts.ts";
import { parseUsd } from "../../src/catalogue/money.ts";
import { firstRun } from "../../src/cli/first-run.ts";
import { readConfig } from "../../src/config/config.ts";
import { Conversations } from "../../src/conversations/conversations.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { isBound } from "../../src/lib/secrets/byte-seal.ts";
import type { Store } from "../../src/store/store.ts";
import { onEngines, type Site } from "../store/engines.ts";
import { type Parts, partsOfTest } from "../support/houses/house.ts";
import { wholeApp } from "../support/houses/whole-app.ts";

const WORDS = "the winter plans of the house of Lark";
const SECRET = "a secret of the environment, for tests";
const EVER = Number.MAX_SAFE_INTEGER;

interface StoredAnswer {
  readonly id: string;
  readonly output: unknown;
  readonly error?: { readonly code: string };
}

async function serving(parts: Parts, site: Site, secret = SECRET) {
  const app = await wholeApp(parts, site, { FAREGATE_SECRET: secret });
  const ask = (key: string, body: object | undefined, path = "", more = {}) =>
    fetch(`${app.url}/v1/responses${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...more },
      ...(body && { body: JSON.stringify({ model: "sandbox-1.0", ...body }) }),
    });
  return { ...app, ask };
}

/** Somebody else who may ask. */
async function addAccount(store: Store) {
  const accounts = new Accounts(store.accounts, systemClock, 0);
  const { id } = await accounts.createAccount("Other");
  const { id: keyId = "", key = "" } = (await accounts.createKey(id, { name: "other" })) ?? {};
  const credit = { id: "credit_of_other", accountId: id, amount: parseUsd("1") ?? 0n };
  await store.ledger.credit({ ...credit, kind: "trial", note: "", createdAtMs: 1 });
  return { id, keyId, key };
}

const made = async (asked: Promise<Response>) => (await (await asked).json()) as StoredAnswer;

onEngines("on $name", (engine) => {
  const parts = partsOfTest();

  async function opened() {
    const site = await engine.site(parts);
    const app = await serving(parts, site);
    const accounts = new Accounts(app.store.accounts, systemClock, 0);
    const { key = "" } = (await firstRun(app.store, accounts, systemClock)) ?? {};
    const [{ id: accountId = "" } = {}] = await app.store.accounts.listAccounts();
    return { site, app, key, accountId };
  }

  test("nothing of a stored response can be read beside the server", async () => {
    const { app, key, accountId } = await opened();
    const more = { "idempotency-key": "winter" };
    const { id, output } = await made(app.ask(key, { input: WORDS }, "", more));
    const kept = await app.store.conversations.find(id, { accountId }, 0);
    const [keyId = ""] = (await app.store.accounts.listKeys(accountId)).map((each) => each.id);
    const claim = { keyId, value: "winter", accountId };
    const { requestId = "" } = (await app.store.keptAnswers.findClaim(claim)) ?? {};
    const answer = await app.store.keptAnswers.findAnswer(claim, requestId);
    for (const body of [kept?.body, answer]) {
      expect(body && isBound(body)).toBe(true);
      expect(() => Bun.zstdDecompressSync(body ?? new Uint8Array())).toThrow();
      expect(Buffer.from(body ?? []).toString("latin1")).not.toContain("winter");
    }
    // And by the server as ever.
    expect(await made(app.ask(key, undefined, `/${id}`))).toMatchObject({ id, output });
    const next = await app.ask(key, { input: "And then?", previous_response_id: id });
    expect(next.status).toBe(200);
    const again = await app.ask(key, { input: WORDS }, "", more);
    expect(again.headers.get("x-faregate-idempotency")).toBe("replay");
    expect(await again.json()).toMatchObject({ id, output });
  });

  test("what was kept before there was a seal stays good", async () => {
    const { app, key, accountId } = await opened();
    const [keyId = ""] = (await app.store.accounts.listKeys(accountId)).map((each) => each.id);
    const { limits } = readConfig({});
    const unsealed = new Conversations(app.store.conversations, limits, systemClock, true);
    const id = "resp_of_earlier_days";
    const input = [{ type: "message", role: "user", content: WORDS }];
    const output = [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [{ type: "output_text", text: "x" }],
      },
    ];
    await unsealed.remember(
      { accountId, keyId },
      { id, parentId: null, input, response: { id, output } },
    );
    expect(await made(app.ask(key, undefined, `/${id}`))).toMatchObject({ id, output });
    const next = await app.ask(key, { input: "And then?", previous_response_id: id });
    expect(next.status).toBe(200);
  });

  test("what is put into another's row, or given to another account, is not there", async () => {
    const { app, site, key } = await opened();
    const other = await addAccount(app.store);
    const more = { "idempotency-key": "winter" };
    const theirs = await made(app.ask(key, { input: WORDS }, "", more));
    const own = await made(app.ask(other.key, { input: "mine" }, "", more));
    for (const table of ["responses", "kept_answers"] as const) {
      const kept = await app.store.bodies.bodies(table, undefined);
      const bodies = kept.map(({ body }) => body).toReversed();
      expect(bodies).toHaveLength(2);
      const swapped = kept.flatMap((each, i) => (bodies[i] ? { ...each, body: bodies[i] } : []));
      await app.store.bodies.replaceBodies(table, swapped);
    }
    const again = await app.ask(other.key, { input: "mine" }, "", more);
    expect([again.status, ((await again.json()) as StoredAnswer).error?.code]).toEqual([
      409,
      "idempotency_not_kept",
    ]);
    expect((await app.ask(other.key, undefined, `/${own.id}`)).status).toBe(404);
    expect((await app.ask(key, undefined, `/${theirs.id}`)).status).toBe(404);
    const { id } = await made(app.ask(key, { input: WORDS }));
    expect((await app.ask(key, undefined, `/${id}`)).status).toBe(200);
    await site.run(`update responses set account_id = '${other.id}', key_id = '${other.keyId}'
      where id = '${id}'`);
    expect(await app.store.conversations.find(id, { accountId: other.id }, 0)).toBeDefined();
    expect((await app.ask(other.key, undefined, `/${id}`)).status).toBe(404);
  });

  test("what another secret sealed is not there, and breaks nothing", async () => {
    const { site, app, key, accountId } = await opened();
    const more = { "idempotency-key": "winter" };
    const { id } = await made(app.ask(key, { input: WORDS }, "", more));
    expect(await app.store.conversations.find(id, { accountId }, EVER)).toBeUndefined();
    await app.stop();
    const other = await serving(parts, site, `${SECRET}, but another`);
    expect((await other.ask(key, undefined, `/${id}`)).status).toBe(404);
    const next = await made(other.ask(key, { input: "And?", previous_response_id: id }));
    expect(next.error?.code).toBe("previous_response_not_found");
    // It was charged, so it must not be charged again.
    const again = await other.ask(key, { input: WORDS }, "", more);
    expect([again.status, ((await again.json()) as StoredAnswer).error?.code]).toEqual([
      409,
      "idempotency_not_kept",
    ]);
  });
});
