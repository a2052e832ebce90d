import { describe, expect, test } from "bun:test";
import { heldBack } from "../../../test/support/clients/slow-bodies.ts";
import { consoleHouse } from "../../../test/support/houses/console-house.ts";
import type {
  KeptSecret,
  KeyChanges,
  KeySummary,
  NewKey,
  SecretExchange,
} from "../../accounts/account.ts";
import type { BudgetTerms } from "../../accounts/keys/budget.ts";
import { hashSecret } from "../../accounts/keys/secret.ts";
import { Fault, StorageError } from "../../lib/faults.ts";
import type { ConsoleStore } from "../store.ts";

const NOW_MS = Date.parse("2026-11-15T12:00:00Z");
const MINE = "acct_mine";
const MEMBER = { roles: { [MINE]: "member" as const } };
const VIEWER = { roles: { [MINE]: "viewer" as const } };
const STRANGER = { roles: { acct_other: "owner" as const } };

function budgetsOf(terms: readonly BudgetTerms[]): KeySummary["budgets"] {
  return terms.map((budget, i) => ({
    ...budget,
    id: `bud_${i}`,
    used: 1_500_000_000n,
    held: 0n,
    resetsAtMs: budget.period === "total" ? null : NOW_MS + 1_000,
  }));
}

type Kept = KeySummary & { readonly hash: string };

/** Keys in memory, as the database would keep them. */
function setUp() {
  const keys: Kept[] = [];
  const withdrawn: string[] = [];
  const store: Partial<ConsoleStore> = {
    listKeys: async (accountId) =>
      keys.filter((key) => key.accountId === accountId && key.deletedAtMs === null),
    findKey: async (accountId, id) =>
      keys.find((key) => key.accountId === accountId && key.id === id),
  };
  const change = (id: string, changed: (key: KeySummary) => Partial<Kept>) => {
    const at = keys.findIndex((key) => key.id === id);
    const key = keys[at];
    if (!key) return false;
    keys[at] = { ...key, ...changed(key) };
    return true;
  };
  const accounts = {
    async createKey(key: NewKey) {
      const sums = { used: 0n, held: 0n, running: 0n, budgets: budgetsOf(key.budgets) };
      keys.push({ ...key, ...sums, formerSecrets: [] });
      return true;
    },
    addSecret: async (id: string, _secret: KeptSecret) => keys.find((key) => key.id === id)?.hash,
    async replaceSecret({ keyId, from, to }: SecretExchange, endsAtMs: number) {
      if (!keys.some(({ id, hash }) => id === keyId && hash === from)) return false;
      return change(keyId, ({ lastFour, formerSecrets }) => ({
        ...to,
        formerSecrets: [{ lastFour, endsAtMs }, ...formerSecrets],
      }));
    },
    withdrawSecret: async ({ to }: SecretExchange) => void withdrawn.push(to.hash),
    async endFormerSecrets(id: string, nowMs: number) {
      change(id, ({ formerSecrets }) => ({
        formerSecrets: formerSecrets.map((one) => ({ ...one, endsAtMs: nowMs })),
      }));
    },
    async deleteKey(id: string, nowMs: number) {
      return change(id, () => ({ enabled: false, deletedAtMs: nowMs }));
    },
    async updateKey(id: string, { budgets, ...changes }: KeyChanges) {
      return change(id, (key) => ({
        ...changes,
        budgets: budgets ? budgetsOf(budgets) : key.budgets,
      }));
    },
  };
  const house = consoleHouse({ store, accounts, nowMs: NOW_MS });
  const path = (rest = "") => `/api/accounts/${MINE}/keys${rest}`;
  return { keys, accounts, withdrawn, house, path };
}

type Wire = Record<string, unknown> & { id: string; secret?: string };
type Failure = { error: { code: string; message: string; param: string | null } };

describe("creating a key", () => {
  test("tells the secret once and keeps only its hash", async () => {
    const { keys, house, path } = setUp();
    const made = await house.call<Wire>(MEMBER, "POST", path(), { name: " laptop " });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: "laptop",
      enabled: true,
      rpm: 3_000,
      tpm: null,
      concurrency: null,
      budgets: [],
      used_total: "0.0",
      last_used_at: null,
      created_at: "2026-11-15T12:00:00.000Z",
    });
    const secret = made.body.secret ?? "";
    expect(keys[0]?.hash).toBe(hashSecret(secret));
    const again = await house.call<Wire>(VIEWER, "GET", path(`/${made.body.id}`));
    expect(again.status).toBe(200);
    expect(JSON.stringify(again.body)).not.toContain(secret);
    expect(JSON.stringify(house.audit)).not.toContain(secret);
    expect(house.audit).toMatchObject([
      {
        action: "key.create",
        accountId: MINE,
        target: made.body.id,
        principal: { userId: "user_1" },
      },
    ]);
  });

  test("takes every setting and several budgets", async () => {
    const { house, path } = setUp();
    const wanted = {
      name: "all",
      budgets: [
        { amount: "100", period: "total" },
        { amount: "2.50", period: "day", time_zone: "asia/shanghai" },
      ],
      models: ["gpt-6-luna"],
      networks: ["10.0.0.0/8", "::1"],
      rpm: null,
      tpm: 5_000,
      concurrency: 3,
      expires_at: "2027-01-01T00:00:00+08:00",
      hard: true,
      account_read: true,
      show_cost: false,
    };
    const { status, body } = await house.call<Wire>(MEMBER, "POST", path(), wanted);
    expect([status, body.message]).toEqual([201, undefined]);
    expect(body).toMatchObject({
      models: ["gpt-6-luna"],
      networks: ["10.0.0.0/8", "::1"],
      rpm: null,
      tpm: 5_000,
      concurrency: 3,
      expires_at: "2026-12-31T16:00:00.000Z",
      hard: true,
      account_read: true,
      show_cost: false,
      budgets: [
        { amount: "100.0", period: "total", time_zone: "UTC", used: "1.5", resets_at: null },
        {
          amount: "2.5",
          period: "day",
          time_zone: "Asia/Shanghai",
          resets_at: "2026-11-15T12:00:01.000Z",
        },
      ],
    });
  });

  test.each([
    ["name", {}],
    ["name", { name: "   " }],
    ["name", { name: "x".repeat(101) }],
    ["name", { name: "a\u202eb" }],
    ["name", { name: 5 }],
    ["budgets.0.amount", { name: "k", budgets: [{ amount: "0", period: "day" }] }],
    ["budgets.0.amount", { name: "k", budgets: [{ amount: "-1", period: "day" }] }],
    ["budgets.0.amount", { name: "k", budgets: [{ amount: "1000001", period: "day" }] }],
    ["budgets.0.amount", { name: "k", budgets: [{ amount: 5, period: "day" }] }],
    ["budgets.0.amount", { name: "k", budgets: [{ amount: "1e3", period: "day" }] }],
    ["budgets.0.period", { name: "k", budgets: [{ amount: "1", period: "year" }] }],
    [
      "budgets.0.time_zone",
      { name: "k", budgets: [{ amount: "1", period: "day", time_zone: "+08:00" }] },
    ],
    [
      "budgets.1",
      {
        name: "k",
        budgets: [
          { amount: "1", period: "total" },
          { amount: "2", period: "total" },
        ],
      },
    ],
    ["models.0", { name: "k", models: ["no-such-model"] }],
    ["networks.1", { name: "k", networks: ["10.0.0.1", "10.0.0.0/99"] }],
    ["rpm", { name: "k", rpm: 0 }],
    ["rpm", { name: "k", rpm: 1.5 }],
    ["tpm", { name: "k", tpm: 1e12 }],
    ["concurrency", { name: "k", concurrency: "3" }],
    ["expires_at", { name: "k", expires_at: "tomorrow" }],
    ["expires_at", { name: "k", expires_at: "2026-11-15T11:59:59Z" }],
    ["hard", { name: "k", hard: "yes" }],
  ])("says at the field %s what is wrong with %j", async (param, form) => {
    const { keys, house, path } = setUp();
    const { status, body } = await house.call<Failure>(MEMBER, "POST", path(), form);
    expect([status, body.error.param]).toEqual([400, param]);
    expect(body.error.message).toMatch(/^[A-Z'].*\.$/);
    expect([keys.length, house.audit.length]).toEqual([0, 0]);
  });

  test("does not take a field that it does not know for one that it obeys", async () => {
    const { keys, house, path } = setUp();
    const { status } = await house.call(MEMBER, "POST", path(), { name: "k", budget: "5" });
    expect([status, keys.length]).toEqual([400, 0]);
  });
});

describe("changing a key", () => {
  async function withKey() {
    const set = setUp();
    const { body } = await set.house.call<Wire>(MEMBER, "POST", set.path(), {
      name: "k",
      rpm: 10,
      budgets: [{ amount: "5", period: "month" }],
    });
    return { ...set, id: body.id };
  }

  test("changes what is named and leaves the rest", async () => {
    const { house, path, id } = await withKey();
    const renamed = await house.call<Wire>(MEMBER, "PATCH", path(`/${id}`), { name: "new" });
    expect(renamed.body).toMatchObject({ name: "new", rpm: 10, budgets: [{ amount: "5.0" }] });
    const opened = await house.call<Wire>(MEMBER, "PATCH", path(`/${id}`), {
      rpm: null,
      budgets: [],
      models: null,
      enabled: false,
    });
    expect(opened.body).toMatchObject({ name: "new", rpm: null, budgets: [], enabled: false });
    expect(house.audit.map(({ action }) => action)).toEqual([
      "key.create",
      "key.change",
      "key.change",
    ]);
    expect(() => JSON.stringify(house.audit)).not.toThrow();
  });

  test("keeps a model that is gone, but takes no other of its kind", async () => {
    const { keys, house, path, id } = await withKey();
    Object.assign(keys[0] as Kept, { models: ["gone", "gpt-6-luna"] });
    const change = (models: readonly string[]) =>
      house.call<Wire & Failure>(MEMBER, "PATCH", path(`/${id}`), { name: "new", models });
    const kept = await change(["gone"]);
    expect([kept.status, kept.body.name, kept.body.models]).toEqual([200, "new", ["gone"]]);
    const wrong = await change(["gone", "gone-too"]);
    expect([wrong.status, wrong.body.error.param]).toEqual([400, "models.1"]);
  });

  test("raises a budget and sets when the key ends", async () => {
    const { house, path, id } = await withKey();
    const { body } = await house.call<Wire>(MEMBER, "PATCH", path(`/${id}`), {
      budgets: [{ amount: "7.25", period: "month" }],
      expires_at: "2027-01-01T00:00:00Z",
    });
    expect(body).toMatchObject({
      budgets: [{ amount: "7.25" }],
      expires_at: "2027-01-01T00:00:00.000Z",
    });
    const never = await house.call<Wire>(MEMBER, "PATCH", path(`/${id}`), { expires_at: null });
    expect(never.body.expires_at).toBeNull();
  });

  test("a deleted key leaves the list, is still shown, and does not change any more", async () => {
    const { house, path, id } = await withKey();
    const { status, body } = await house.call<Wire>(MEMBER, "DELETE", path(`/${id}`));
    expect([status, body.enabled, body.deleted_at]).toEqual([
      200,
      false,
      "2026-11-15T12:00:00.000Z",
    ]);
    const list = await house.call<{ data: Wire[] }>(VIEWER, "GET", path());
    expect(list.body.data).toEqual([]);
    const shown = await house.call<Wire>(VIEWER, "GET", path(`/${id}`));
    expect([shown.status, shown.body.name]).toEqual([200, "k"]);
    for (const [method, rest, wanted] of [
      ["PATCH", "", { enabled: true }],
      ["POST", "/rotate", {}],
      ["DELETE", "/former-secrets", undefined],
      ["DELETE", "", undefined],
    ] as const) {
      const refused = await house.call<Failure>(MEMBER, method, path(`/${id}${rest}`), wanted);
      expect([refused.status, refused.body.error.message]).toEqual([
        404,
        "This key was deleted. Create a new one.",
      ]);
    }
    expect(house.audit.at(-1)).toMatchObject({
      action: "key.delete",
      target: id,
      detail: { name: "k" },
    });
  });

  test("goes by what the key is when the change is there, not when it was begun", async () => {
    const { keys, house, path, id } = await withKey();
    const set = (is: Partial<Kept>) => {
      keys[0] = { ...(keys[0] as Kept), ...is };
    };
    const change = (becomes: Partial<Kept>) => {
      set({ accountRead: true });
      const wanted = heldBack({ account_read: true }, () => set(becomes));
      return house.call(MEMBER, "PATCH", path(`/${id}`), wanted);
    };
    expect((await change({ accountRead: false })).status).toBe(200);
    expect(house.widened).toEqual([id]);
    expect((await change({ deletedAtMs: NOW_MS })).status).toBe(404);
  });

  test("a viewer reads and does not change", async () => {
    const { keys, house, path, id } = await withKey();
    const before = JSON.stringify(keys, (_, value) => String(value));
    for (const [method, rest, body] of [
      ["POST", "", { name: "x" }],
      ["PATCH", `/${id}`, { name: "x" }],
      ["DELETE", `/${id}`, undefined],
      ["POST", `/${id}/rotate`, {}],
      ["DELETE", `/${id}/former-secrets`, undefined],
    ] as const) {
      const { status } = await house.call(VIEWER, method, path(rest), body);
      expect([method, status]).toEqual([method, 403]);
    }
    expect(JSON.stringify(keys, (_, value) => String(value))).toBe(before);
    expect((await house.call(VIEWER, "GET", path())).status).toBe(200);
  });

  test("another account's key is not there, under its own path or another", async () => {
    const { house, path, id } = await withKey();
    for (const method of ["GET", "PATCH", "DELETE"] as const) {
      const body = method === "PATCH" ? { enabled: false } : undefined;
      expect((await house.call(STRANGER, method, path(`/${id}`), body)).status).toBe(404);
      const other = `/api/accounts/acct_other/keys/${id}`;
      expect((await house.call(STRANGER, method, other, body)).status).toBe(404);
    }
    expect((await house.call<Wire>(VIEWER, "GET", path(`/${id}`))).body.enabled).toBe(true);
  });
});

test("the list of keys goes by pages, the newest first", async () => {
  const { house, path } = setUp();
  for (const name of ["a", "b", "c"]) await house.call(MEMBER, "POST", path(), { name });
  type List = { data: Wire[]; next: string | null };
  const first = await house.call<List>(VIEWER, "GET", path("?limit=2"));
  expect(first.body.data.map(({ name }) => name)).toEqual(["c", "b"]);
  const rest = await house.call<List>(VIEWER, "GET", path(`?limit=2&after=${first.body.next}`));
  expect([rest.body.data.map(({ name }) => name), rest.body.next]).toEqual([["a"], null]);
  expect((await house.call(VIEWER, "GET", path("?after=key_unknown"))).status).toBe(400);
});

describe("a page of keys behind one", () => {
  type List = { data: Wire[]; next: string | null };

  /** The names of the next page, when the only key of the first one is called upon in between. */
  async function nextPage(query: string, method: "DELETE" | "PATCH", change?: object) {
    const { house, path } = setUp();
    for (const name of ["a1", "b1", "c1"]) await house.call(MEMBER, "POST", path(), { name });
    const first = await house.call<List>(VIEWER, "GET", path(`?limit=1&${query}`));
    await house.call(MEMBER, method, path(`/${first.body.next}`), change);
    const rest = path(`?${query}&after=${first.body.next}`);
    const { status, body } = await house.call<Partial<List>>(VIEWER, "GET", rest);
    return { status, names: body.data?.map(({ name }) => name) };
  }

  test.each([
    ["q=1", ["b1", "a1"]],
    ["sort=name", ["b1", "c1"]],
    ["sort=-name", ["b1", "a1"]],
    ["sort=enabled", ["b1", "a1"]],
    ["sort=-enabled", ["b1", "a1"]],
  ])("that was deleted goes on where it was: %s", async (query, names) => {
    expect(await nextPage(query, "DELETE")).toEqual({ status: 200, names });
  });

  test("that is called otherwise by now goes on among those that are searched for", async () => {
    const names = ["b1", "a1"];
    expect(await nextPage("q=1", "PATCH", { name: "x" })).toEqual({ status: 200, names });
  });
});

describe("a new secret for a key", () => {
  async function withKey() {
    const set = setUp();
    const { body } = await set.house.call<Wire>(MEMBER, "POST", set.path(), { name: "k" });
    return { ...set, id: body.id, secret: body.secret ?? "" };
  }
  type House = Awaited<ReturnType<typeof withKey>>["house"];
  const lastLines = (house: House) => house.audit.slice(-2).map(({ action }) => action);
  type Rotated = Wire & { former_secrets: { last_four: string; ends_at: string }[] };

  test("is told once, and the one before works for a day unless another time is said", async () => {
    const { keys, house, path, id, secret } = await withKey();
    const rotated = await house.call<Rotated>(MEMBER, "POST", path(`/${id}/rotate`), {});
    expect(rotated.status).toBe(200);
    const next = rotated.body.secret ?? "";
    expect([next.startsWith("sk-fg-"), next === secret]).toEqual([true, false]);
    expect(keys[0]?.hash).toBe(hashSecret(next));
    expect(rotated.body).toMatchObject({
      id,
      last_four: next.slice(-4),
      former_secrets: [{ last_four: secret.slice(-4), ends_at: "2026-11-16T12:00:00.000Z" }],
    });
    expect(JSON.stringify(house.audit)).not.toContain(next);
    expect(house.audit.at(-1)).toMatchObject({
      action: "key.rotate",
      detail: {
        overlap_seconds: 86_400,
        from: `…${secret.slice(-4)}`,
        to: `…${next.slice(-4)}`,
      },
    });
    const hour = { overlap_seconds: 3_600 };
    const again = await house.call<Rotated>(MEMBER, "POST", path(`/${id}/rotate`), hour);
    expect(again.body.former_secrets.map(({ ends_at }) => ends_at)).toEqual([
      "2026-11-16T12:00:00.000Z",
      "2026-11-15T13:00:00.000Z",
    ]);
  });

  test("ends the one before at once where no time is left to it, or later by a call", async () => {
    const { house, path, id } = await withKey();
    const none = { overlap_seconds: 0 };
    const at = await house.call<Rotated>(MEMBER, "POST", path(`/${id}/rotate`), none);
    expect(at.body.former_secrets).toEqual([]);
    const day = await house.call<Rotated>(MEMBER, "POST", path(`/${id}/rotate`), {});
    expect(day.body.former_secrets).toHaveLength(1);
    const ended = await house.call<Rotated>(MEMBER, "DELETE", path(`/${id}/former-secrets`));
    expect([ended.status, ended.body.former_secrets]).toEqual([200, []]);
    expect(house.audit.at(-1)).toMatchObject({ action: "key.end_secrets", target: id });
  });

  test("is not told where the key is given another one meanwhile, and the key keeps that", async () => {
    const { keys, accounts, withdrawn, house, path, id } = await withKey();
    const { addSecret } = accounts;
    const added: string[] = [];
    accounts.addSecret = async (keyId: string, secret: KeptSecret) => {
      const from = await addSecret(keyId, secret);
      added.push(secret.hash);
      keys[0] = { ...(keys[0] as Kept), hash: "of somebody else" };
      return from;
    };
    const refused = await house.call<Failure>(MEMBER, "POST", path(`/${id}/rotate`), {});
    expect([refused.status, refused.body.error.code]).toEqual([409, "edit_conflict"]);
    expect([keys[0]?.hash, withdrawn]).toEqual(["of somebody else", added]);
    await house.tasks.settled();
    expect(lastLines(house)).toEqual(["key.rotate", "key.withdraw_secret"]);
  });

  test("is withdrawn in the audit log, too, where the key could not be given it", async () => {
    const { accounts, house, path, id } = await withKey();
    accounts.replaceSecret = async () => {
      throw new StorageError("not now");
    };
    const failed = await house.call<Failure>(MEMBER, "POST", path(`/${id}/rotate`), {});
    expect(failed.status).toBe(503);
    await house.tasks.settled();
    expect(lastLines(house)).toEqual(["key.rotate", "key.withdraw_secret"]);
    const [rotation, withdrawal] = house.audit.slice(-2);
    expect(withdrawal).toMatchObject({ target: id, detail: rotation?.detail ?? {} });
  });

  test("is withdrawn in the audit log though that is away as well at first, and what failed is told", async () => {
    const { accounts, house, path, id } = await withKey();
    const { write } = house.services.audit;
    let awayFor = 2;
    accounts.replaceSecret = async () => {
      house.services.audit.write = async (entry) => {
        if (awayFor-- > 0) throw new StorageError("the log is away");
        return write(entry);
      };
      throw new Fault("edit_conflict", "Somebody was quicker.");
    };
    const failed = await house.call<Failure>(MEMBER, "POST", path(`/${id}/rotate`), {});
    expect([failed.status, failed.body.error.code]).toEqual([409, "edit_conflict"]);
    await house.tasks.settled();
    expect(lastLines(house)).toEqual(["key.rotate", "key.withdraw_secret"]);
  });

  test.each([-1, 1.5, 30 * 86_400 + 1, "3600", null])("does not overlap for %p", async (wanted) => {
    const { keys, house, path, id } = await withKey();
    const before = keys[0]?.hash;
    const body = { overlap_seconds: wanted };
    const refused = await house.call<Failure>(MEMBER, "POST", path(`/${id}/rotate`), body);
    expect([refused.status, refused.body.error.param]).toEqual([400, "overlap_seconds"]);
    expect(keys[0]?.hash).toBe(before);
  });

  test("leaves no more than five of before that work", async () => {
    const { house, path, id } = await withKey();
    const rotate = (body: object) =>
      house.call<Failure>(MEMBER, "POST", path(`/${id}/rotate`), body);
    for (let i = 0; i < 5; i++) expect((await rotate({})).status).toBe(200);
    const refused = await rotate({});
    expect([refused.status, refused.body.error.param]).toEqual([400, "overlap_seconds"]);
    expect(refused.body.error.message).toContain("end them first");
    expect((await rotate({ overlap_seconds: 0 })).status).toBe(200);
  });
});

describe("the list of keys", () => {
  type List = { data: Wire[]; next: string | null };
  async function withKeys() {
    const set = setUp();
    const budgets = (amount: string) => [{ amount, period: "total" }];
    for (const form of [
      { name: "app 10", budgets: budgets("3") },
      { name: "App 2", budgets: budgets("2") },
      { name: "客服", rpm: 5 },
    ]) {
      await set.house.call(MEMBER, "POST", set.path(), form);
    }
    const [ten, two, service] = set.keys as [Kept, Kept, Kept];
    set.keys[0] = { ...ten, used: 5n, lastUsedAtMs: 30, createdAtMs: 1 };
    set.keys[1] = { ...two, used: 7n, lastUsedAtMs: 10, createdAtMs: 2, enabled: false };
    set.keys[2] = { ...service, used: 6n, createdAtMs: 3 };
    const names = async (query: string) => {
      const { body } = await set.house.call<List>(VIEWER, "GET", set.path(query));
      return body.data.map(({ name }) => String(name));
    };
    return { ...set, names };
  }

  test.each([
    ["", ["客服", "App 2", "app 10"]],
    ["?sort=created", ["app 10", "App 2", "客服"]],
    ["?sort=name", ["App 2", "app 10", "客服"]],
    ["?sort=-name", ["客服", "app 10", "App 2"]],
    ["?sort=-spent", ["App 2", "客服", "app 10"]],
    ["?sort=-last_used", ["app 10", "App 2", "客服"]],
    ["?sort=-budget", ["App 2", "app 10", "客服"]],
    ["?sort=enabled", ["App 2", "客服", "app 10"]],
  ])("goes by what is asked for: %p", async (query, expected) => {
    const { names } = await withKeys();
    expect(await names(query)).toEqual(expected);
  });

  test("goes by pages in any order", async () => {
    const { house, path } = await withKeys();
    const first = await house.call<List>(VIEWER, "GET", path("?sort=-spent&limit=2"));
    const rest = await house.call<List>(
      VIEWER,
      "GET",
      path(`?sort=-spent&limit=2&after=${first.body.next}`),
    );
    expect([...first.body.data, ...rest.body.data].map(({ name }) => name)).toEqual([
      "App 2",
      "客服",
      "app 10",
    ]);
  });

  test("does not guess an order", async () => {
    const { house, path } = await withKeys();
    for (const sort of ["cost", "--name", "constructor"]) {
      const { status, body } = await house.call<Failure>(VIEWER, "GET", path(`?sort=${sort}`));
      expect([sort, status, body.error.param]).toEqual([sort, 400, "sort"]);
    }
  });

  test("is searched by name, id and the end of the secret", async () => {
    const { keys, names } = await withKeys();
    const [ten] = keys as [Kept];
    expect(await names("?q=APP")).toEqual(["App 2", "app 10"]);
    expect(await names(`?q=${encodeURIComponent("客")}`)).toEqual(["客服"]);
    expect(await names(`?q=${ten.id}`)).toEqual(["app 10"]);
    expect(await names(`?q=${encodeURIComponent(`…${ten.lastFour}`)}`)).toContain("app 10");
    expect(await names("?q=nothing-like-it")).toEqual([]);
  });
});
