// A key gets another secret while programs still use the one before, and goes for good.
import { expect, test } from "bun:test";
import { bodyOf } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

const house = await perFile(wholeConsole);
const operator = await house.operator("op@example.com");
const account = await house.account(operator, "Mine");
const base = `/api/accounts/${account}`;
const owner = await house.person(operator, account, "owner", "owner@example.com");
const member = await house.person(operator, account, "member", "member@example.com");

async function newKey(by = owner) {
  const made = await bodyOf(by.post(`${base}/keys`, { name: "k" }));
  return { id: String(made.id), secret: String(made.secret) };
}

/** Which key a secret opens, or why none. */
async function opens(secret: string): Promise<string> {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(`${house.url}/v1/key`, { headers });
  const body = (await response.json()) as { error?: { message: string } };
  return response.status === 200 ? "open" : `${response.status} ${body.error?.message}`;
}

test("both secrets open a key until the one before is ended", async () => {
  const { id, secret } = await newKey();
  const { secret: next } = await bodyOf(owner.post(`${base}/keys/${id}/rotate`, {}));
  expect([await opens(secret), await opens(String(next))]).toEqual(["open", "open"]);
  await bodyOf(owner.send("DELETE", `${base}/keys/${id}/former-secrets`));
  expect(await opens(secret)).toMatch(/^401 This API key was replaced/);
  expect(await opens(String(next))).toBe("open");
});

test("a secret that leaked is over with the same call", async () => {
  const { id, secret } = await newKey();
  const form = { overlap_seconds: 0 };
  const { secret: next } = await bodyOf(owner.post(`${base}/keys/${id}/rotate`, form));
  expect(await opens(secret)).toMatch(/^401 This API key was replaced/);
  expect(await opens(String(next))).toBe("open");
});

test("a deleted key opens nothing, by whichever of its secrets", async () => {
  const { id, secret } = await newKey();
  const { secret: next } = await bodyOf(owner.post(`${base}/keys/${id}/rotate`, {}));
  await bodyOf(owner.send("DELETE", `${base}/keys/${id}`));
  for (const one of [secret, String(next)]) {
    expect(await opens(one)).toMatch(/^401 This API key was deleted/);
  }
});

test("a member gets no secret of a key that may more than they, but of their own and others' like it", async () => {
  const { id, secret } = await newKey(owner);
  const refused = await member.post(`${base}/keys/${id}/rotate`, {});
  expect(refused.status).toBe(403);
  expect(await opens(secret)).toBe("open");
  expect((await bodyOf(owner.get(`${base}/keys/${id}`))).former_secrets).toEqual([]);
  const own = await newKey(member);
  expect((await member.post(`${base}/keys/${own.id}/rotate`, {})).status).toBe(200);
  expect((await owner.post(`${base}/keys/${own.id}/rotate`, {})).status).toBe(200);
});
