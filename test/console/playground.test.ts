// The playground on the session: who may, what it costs, and the key that nobody sees.
import { describe, expect, test } from "bun:test";
import { type Browser, bodyOf } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { caughtUp, comesTrue } from "../support/waiting.ts";

const house = await perFile(wholeConsole);
const operator = await house.operator("op@example.com");
const account = await house.account(operator, "Mine");
const base = `/api/accounts/${account}`;
const owner = await house.person(operator, account, "owner", "owner@example.com");
const member = await house.person(operator, account, "member", "member@example.com");
const viewer = await house.person(operator, account, "viewer", "viewer@example.com");
const order = await bodyOf(owner.post(`${base}/orders`, { provider: "test", amount: "5" }));
await bodyOf(owner.post(`${base}/orders/${order.id}/test-pay`, {}));

const RESPONSES = `${base}/playground/responses`;
const CHAT = `${base}/playground/chat/completions`;
const MODEL = "sandbox-1.0";
const ASKED = { model: MODEL, input: "Say hello.", stream: true, store: false };

interface Listed {
  readonly data: readonly (JsonObject & { readonly id: string; readonly name: string })[];
}

const keysOf = (by: Browser) => bodyOf<Listed>(by.get(`${base}/keys`));

async function usageByKey(): Promise<readonly JsonObject[]> {
  await caughtUp(house.url);
  const usage = await bodyOf<{ rows: JsonObject[] }>(owner.get(`${base}/usage?by=key`));
  return usage.rows;
}

/** Everybody who has made a key in an account, as often as they have. */
async function makersOf(accountId: string): Promise<readonly unknown[]> {
  const log = await bodyOf<Listed>(operator.get("/api/operator/audit?limit=100"));
  return log.data.flatMap(({ action, actor, account_id }) =>
    action === "key.create" && account_id === accountId ? [actor] : [],
  );
}

describe("the playground", () => {
  test("answers on the session, as a stream, with a receipt under the id of the request", async () => {
    const answer = await member.post(RESPONSES, ASKED);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.text()).toContain("response.completed");
    const id = answer.headers.get("x-request-id");
    const receipt = await bodyOf(owner.get(`${base}/requests/${id}`));
    expect(receipt).toMatchObject({
      endpoint: "responses",
      key_name: "console: member@example.com",
    });
    expect(Number(receipt.cost)).toBeGreaterThan(0);
  });

  test("speaks chat as well, and is seen in usage under who asked", async () => {
    const messages = [{ role: "user", content: "Say hello." }];
    const answer = await bodyOf(owner.post(CHAT, { model: MODEL, messages, temperature: 0.2 }));
    expect(answer).toMatchObject({ object: "chat.completion" });
    const rows = await usageByKey();
    expect(rows).toContainEqual(
      expect.objectContaining({ key_name: "console: owner@example.com" }),
    );
  });

  test("has one key for each person, which no list of keys shows and no answer tells", async () => {
    const others = await house.account(operator, "Busy");
    const busy = await house.person(operator, others, "owner", "busy@example.com");
    const theirs = `/api/accounts/${others}`;
    const asked = Array.from({ length: 4 }, () =>
      busy.post(`${theirs}/playground/responses`, ASKED),
    );
    // Nothing was paid in: each is refused for money, and by one key.
    const refusals = await Promise.all(asked.map(async (each) => (await each).status));
    expect(new Set(refusals).has(500)).toBe(false);
    // A refusal's receipt is written behind its answer.
    const requests = await comesTrue(async () => {
      const listed = await bodyOf<Listed>(busy.get(`${theirs}/requests`));
      expect(listed.data).not.toBeEmpty();
      return listed;
    });
    expect(new Set(requests.data.map(({ key_id }) => key_id)).size).toBe(1);
    expect((await bodyOf<Listed>(busy.get(`${theirs}/keys`))).data).toEqual([]);
    const firstKey = async () => (await bodyOf(busy.get(`${theirs}/overview`))).first_key;
    expect(await firstKey()).toBe(false);
    await bodyOf(busy.post(`${theirs}/keys`, { name: "For a program" }));
    expect(await firstKey()).toBe(true);
    // Operators count what its people see.
    const seen = await bodyOf(operator.get(`/api/operator/accounts/${others}`));
    const listed = await bodyOf<Listed>(operator.get("/api/operator/accounts?q=Busy"));
    expect([seen.keys, listed.data[0]?.keys]).toEqual([1, 1]);
    const [first] = requests.data;
    const key = await bodyOf(busy.get(`${theirs}/keys/${first?.key_id}`));
    expect(key).toMatchObject({ name: "console: busy@example.com", account_read: false });
    expect(JSON.stringify(key)).not.toContain("sk-fg-");
  });

  test("counts as a first key of nobody, and is in the audit log once", async () => {
    await bodyOf(member.post(RESPONSES, { ...ASKED, stream: false }));
    await bodyOf(member.post(RESPONSES, { ...ASKED, stream: false }));
    const makers = await makersOf(account);
    expect(makers.filter((email) => email === "member@example.com")).toHaveLength(1);
    expect((await keysOf(owner)).data).toEqual([]);
  });

  test("is not for viewers, nor for pages of other sites", async () => {
    const refused = await viewer.post(RESPONSES, ASKED);
    expect(refused.status).toBe(403);
    const foreign = { origin: "https://elsewhere.example" };
    expect((await member.send("POST", RESPONSES, ASKED, foreign)).status).toBe(403);
    const bare = { "x-faregate-csrf": null };
    expect((await member.send("POST", RESPONSES, ASKED, bare)).status).toBe(403);
  });

  test("asks nothing for somebody who was removed while it came", async () => {
    const email = "going@example.com";
    const going = await house.person(operator, account, "member", email);
    const { user } = await bodyOf<{ user: { id: string } }>(going.get("/api/me"));
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const answer = going.send("POST", RESPONSES, readable);
    await writer.write(Buffer.from(JSON.stringify(ASKED)));
    // Their key is made at the first use: they were let in.
    await comesTrue(async () => expect(await makersOf(account)).toContain(email));
    await bodyOf(owner.send("DELETE", `${base}/members/${user.id}`));
    await writer.close();
    expect((await answer).status).toBe(404);
    const theirs = (await usageByKey()).filter(({ key_name }) => key_name === `console: ${email}`);
    expect(theirs.filter(({ cost }) => Number(cost) > 0)).toEqual([]);
  });

  test("says what is wrong with a request as the gateway does", async () => {
    const unknown = await member.post(RESPONSES, { ...ASKED, model: "none-such" });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { code: "model_not_found" } });
  });

  test("is limited and switched off by the key's own page", async () => {
    const { browser, key } = await newcomer("limited@example.com");
    const path = `${base}/keys/${key}`;
    await bodyOf(owner.send("PATCH", path, { rpm: 1 }));
    await browser.post(RESPONSES, { ...ASKED, stream: false });
    expect((await browser.post(RESPONSES, { ...ASKED, stream: false })).status).toBe(429);
    await bodyOf(owner.send("PATCH", path, { rpm: null, enabled: false }));
    const off = await browser.post(RESPONSES, ASKED);
    expect(off.status).toBe(403);
    expect(await off.json()).toMatchObject({ error: { code: "permission_denied", key_id: key } });
  });

  test("goes on with another key where its own was deleted or given another secret", async () => {
    const asked = { ...ASKED, stream: false };
    const { browser, key } = await newcomer("replaced@example.com");
    await bodyOf(owner.post(`${base}/keys/${key}/rotate`, { overlap_seconds: 60 }));
    expect((await browser.post(RESPONSES, asked)).status).toBe(200);
    const other = await newcomer("removed@example.com");
    await bodyOf(owner.send("DELETE", `${base}/keys/${other.key}`));
    expect((await other.browser.post(RESPONSES, asked)).status).toBe(200);
  });
});

async function newcomer(email: string) {
  const browser = await house.person(operator, account, "member", email);
  const answer = await browser.post(RESPONSES, { ...ASKED, stream: false });
  const receipt = await bodyOf(
    browser.get(`${base}/requests/${answer.headers.get("x-request-id")}`),
  );
  return { browser, key: String(receipt.key_id) };
}
