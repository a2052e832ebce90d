import { describe, expect, test } from "bun:test";
import { Fault } from "../lib/faults.ts";
import type { PresentedKey } from "./account.ts";
import { authenticate } from "./authenticate.ts";
import { hashSecret, newSecret } from "./keys/secret.ts";

const SECRET = newSecret();
const NOW_MS = 1_000_000;

const KEY: PresentedKey = {
  id: "key_1",
  accountId: "acct_1",
  name: "k",
  lastFour: SECRET.slice(-4),
  enabled: true,
  expiresAtMs: null,
  models: null,
  networks: null,
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  concurrency: 0,
  hard: false,
  accountRead: false,
  showCost: true,
  createdAtMs: 0,
  lastUsedAtMs: null,
  deletedAtMs: null,
  secretEndsAtMs: null,
  accountEnabled: true,
  accountHard: false,
  overdraft: 0n,
  inputLoss: { day: 0, amount: 0n },
  operator: false,
};

async function present(
  header: string | null,
  changes: Partial<PresentedKey> = {},
  known = SECRET,
): Promise<PresentedKey> {
  const store = {
    findKey: (hash: string) => (hash === hashSecret(known) ? { ...KEY, ...changes } : undefined),
  };
  return authenticate(store, () => NOW_MS, header, { address: () => "10.0.0.9" });
}

async function refusal(header: string | null, changes: Partial<PresentedKey> = {}): Promise<Fault> {
  const thrown = await present(header, changes).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Fault)) throw new Error("it was let in");
  return thrown;
}

describe("authenticate", () => {
  test("lets a good key in", async () => {
    expect((await present(`Bearer ${SECRET}`)).id).toBe("key_1");
  });

  test("knows imported keys of any form by their whole text", async () => {
    const imported = "sk-or-v1-aaaa.bbbb";
    expect((await present(`Bearer ${imported}`, {}, imported)).id).toBe("key_1");
  });

  test.each([
    ["no header", null, /Missing/],
    ["an empty header", "", /Missing/],
    ["no scheme", SECRET, /Malformed/],
    ["another scheme", `Basic ${SECRET}`, /Malformed/],
    ["the scheme alone", "Bearer ", /Malformed/],
    ["the scheme without a space", `Bearer${SECRET}`, /Malformed/],
    ["two spaces", `Bearer  ${SECRET}`, /Malformed/],
    ["a space behind", `Bearer ${SECRET} `, /Malformed/],
    ["a line break behind", `Bearer ${SECRET}\n`, /Malformed/],
    ["two keys", `Bearer ${SECRET}, Bearer ${SECRET}`, /Malformed/],
    ["a key that is far too long", `Bearer ${"x".repeat(513)}`, /Malformed/],
    ["a key cut short", `Bearer ${SECRET.slice(0, -1)}`, /mistyped/],
    ["an unknown key of ours", `Bearer ${newSecret()}`, /Incorrect/],
    ["a vendor's key", "Bearer sk-proj-0123456789", /vendor/],
  ])("refuses %s", async (_name, header, words) => {
    const fault = await refusal(header);
    expect([fault.status, fault.type, fault.code, fault.param]).toEqual([
      401,
      "invalid_request_error",
      "invalid_api_key",
      null,
    ]);
    expect(fault.message).toMatch(words);
    expect(fault.message).not.toContain(SECRET.slice(6, 16));
  });

  test.each([
    ["disabled", { enabled: false }, /disabled/],
    ["of a suspended account", { accountEnabled: false }, /suspended/],
    ["expired", { expiresAtMs: NOW_MS - 1 }, /expired/],
    ["expiring this moment", { expiresAtMs: NOW_MS }, /expired/],
    ["deleted", { deletedAtMs: NOW_MS - 1, enabled: false }, /deleted/],
    ["shown by a secret of before", { secretEndsAtMs: NOW_MS }, /replaced.*new secret/],
  ])("refuses a key that is %s", async (_name, changes, words) => {
    const fault = await refusal(`Bearer ${SECRET}`, changes);
    expect([fault.status, fault.code]).toEqual([401, "invalid_api_key"]);
    expect(fault.message).toMatch(words);
  });

  test("a key that expires later still works", async () => {
    expect((await present(`Bearer ${SECRET}`, { expiresAtMs: NOW_MS + 1 })).id).toBe("key_1");
  });

  test("a secret of before works until it ends", async () => {
    expect((await present(`Bearer ${SECRET}`, { secretEndsAtMs: NOW_MS + 1 })).id).toBe("key_1");
  });

  test("a key of a network works only from there", async () => {
    expect((await present(`Bearer ${SECRET}`, { networks: ["10.0.0.0/24"] })).id).toBe("key_1");
    const fault = await refusal(`Bearer ${SECRET}`, { networks: ["192.168.0.0/16"] });
    expect([fault.status, fault.code]).toEqual([401, "ip_not_allowed"]);
    expect((await refusal(`Bearer ${SECRET}`, { networks: [] })).code).toBe("ip_not_allowed");
  });
});
