// Drafts in the console: working copies, what is shown of them, and the way into the box.
import { expect, test } from "bun:test";
import { bodyOf } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";
import { type JsonObject, MODEL } from "../support/samples/wires.ts";

const house = await perFile((parts) => wholeConsole(parts, { FAREGATE_DRAFTS_PUBLISH: "on" }));
const operator = await house.operator("op@example.com");
const account = await house.account(operator, "Mine");
const base = `/api/accounts/${account}`;
const member = await house.person(operator, account, "member", "member@example.com");
const owner = await house.person(operator, account, "owner", "owner@example.com");
const order = await bodyOf(owner.post(`${base}/orders`, { provider: "test", amount: "5" }));
await bodyOf(owner.post(`${base}/orders/${order.id}/test-pay`, {}));

function article(title: string, text = "Cranes **stay**.") {
  return { type: "news", title, source: { format: "markdown", text } };
}

async function newDraft(title: string, text?: string): Promise<JsonObject & { id: string }> {
  return bodyOf(member.post(`${base}/drafts`, { articles: [article(title, text)] }));
}

/** What the audit log has of a draft. */
async function noted(target: string): Promise<readonly unknown[]> {
  const path = `/api/operator/audit?target=${target}`;
  const { data } = await bodyOf<{ data: JsonObject[] }>(operator.get(path));
  return data.map(({ action }) => action);
}

test("a working copy is saved as one types, with its versions, and a conflict is told", async () => {
  const draft = await newDraft("One");
  expect(draft).toMatchObject({ status: "local", version: 1, media_id: null });
  const path = `${base}/drafts/${draft.id}`;
  const saved = await bodyOf(member.send("PUT", path, { articles: [article("Two")], base: 1 }));
  expect(saved.version).toBe(2);
  const late = await owner.send("PUT", path, { articles: [article("Three")], base: 1 });
  expect(late.status).toBe(409);
  expect(await late.json()).toMatchObject({ error: { code: "edit_conflict", version: 2 } });
  const versions = await bodyOf<{ data: JsonObject[] }>(member.get(`${path}/versions`));
  expect(versions.data).toMatchObject([
    { version: 2, by: "member@example.com", title: "Two" },
    { version: 1, title: "One" },
  ]);
  const first = await bodyOf(member.get(`${path}/versions/1`));
  expect(first.articles).toMatchObject([{ title: "One" }]);
});

test("the frame shows what the platform would keep, where nothing can run", async () => {
  const text = "<script>alert(1)</script><p onclick='x()'>kept</p>[away](https://x.example)";
  const draft = await newDraft("A <i>title</i>", text);
  const frame = await member.get(`${base}/drafts/${draft.id}/frame?version=1&article=0`);
  expect(frame.status).toBe(200);
  expect(frame.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const policy = frame.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("sandbox");
  expect(policy).toContain("default-src 'none'");
  expect(frame.headers.get("x-frame-options")).toBe("SAMEORIGIN");
  expect(frame.headers.get("x-content-type-options")).toBe("nosniff");
  expect(frame.headers.get("cache-control")).toBe("no-store");
  const html = await frame.text();
  expect(html).toContain("A &lt;i&gt;title&lt;/i&gt;");
  expect(html).toContain("kept");
  for (const gone of ["<script", "onclick", 'href="https://x.example']) {
    expect(html).not.toContain(gone);
  }
  const none = await member.get(`${base}/drafts/${draft.id}/frame?article=1`);
  expect(none.status).toBe(404);
});

test("a cover is shown as it would be uploaded", async () => {
  const draft = await newDraft("A card");
  const cover = await member.get(`${base}/drafts/${draft.id}/cover?version=1`);
  expect(cover.headers.get("content-type")).toMatch(/^image\/(?:png|jpeg)$/);
  expect((await cover.bytes()).length).toBeGreaterThan(1_000);
});

test("a copy is previewed, pushed, read back, imported and published", async () => {
  const preview = await bodyOf<{ problems: JsonObject[] }>(
    member.post(`${base}/drafts/preview`, { articles: [article("x".repeat(33))] }),
  );
  expect(preview.problems[0]).toMatchObject({ code: "title_too_long", limit: 32, found: 33 });
  const draft = await newDraft("Into the box");
  const path = `${base}/drafts/${draft.id}`;
  const pushed = await bodyOf(member.post(`${path}/push`, {}));
  expect(pushed).toMatchObject({ status: "in_box", receipt: { sandbox: true } });
  const pushes = await bodyOf<{ data: JsonObject[] }>(member.get(`${path}/pushes`));
  expect(pushes.data).toMatchObject([{ state: "done", kind: "add", media_id: pushed.media_id }]);
  expect(await bodyOf(member.get(`${path}/box`))).toMatchObject({ in_box: true, differences: [] });
  const box = await bodyOf<{ items: JsonObject[] }>(member.get(`${base}/drafts/box`));
  const item = { media_id: pushed.media_id, titles: ["Into the box"], draft_id: draft.id };
  expect(box.items).toContainEqual(expect.objectContaining(item));
  const known = await bodyOf(member.post(`${base}/drafts/import`, { media_id: pushed.media_id }));
  expect(known.id).toBe(draft.id);
  expect(await noted(draft.id)).toEqual(["draft.push"]);
  expect(await bodyOf(member.post(`${path}/publish`))).toMatchObject({ status: "published" });
});

test("what people do on the platform is seen in the console, all at once or one by one", async () => {
  const pushed = async (title: string) => {
    const draft = await newDraft(title);
    return bodyOf(member.post(`${base}/drafts/${draft.id}/push`, {}));
  };
  const [published, sent, opened] = [
    await pushed("Published there"),
    await pushed("Sent there"),
    await pushed("Opened here"),
  ];
  const [{ appid }] = (await bodyOf<{ data: [JsonObject] }>(member.get("/api/platform/accounts")))
    .data;
  const onPlatform = (draft: JsonObject, action: string) =>
    bodyOf(member.post(`/api/platform/accounts/${appid}/drafts/${draft.media_id}/${action}`, {}));
  const statuses = async () => {
    const { data } = await bodyOf<{ data: JsonObject[] }>(member.get(`${base}/drafts`));
    return [published, sent, opened].map(({ id }) => data.find((row) => row.id === id)?.status);
  };
  await onPlatform(published, "publish");
  await onPlatform(sent, "mass-send");
  expect(await statuses()).toEqual(["in_box", "in_box", "in_box"]);
  const look = `${base}/drafts/look`;
  expect(await bodyOf(member.get(look))).toEqual({ changed: 2 });
  // What is sent to followers is in no list of the platform.
  expect(await statuses()).toEqual(["published", "removed", "in_box"]);
  await onPlatform(opened, "publish");
  expect(await bodyOf(member.get(`${look}?draft=${opened.id}`))).toEqual({ changed: 1 });
  expect(await statuses()).toEqual(["published", "removed", "published"]);
  expect((await member.get(`${look}?draft=nobody`)).status).toBe(404);
});

test("two clicks at once push it once, and so do two for a new one", async () => {
  const draft = await newDraft("Clicked twice");
  const path = `${base}/drafts/${draft.id}`;
  const twice = async (call: () => Promise<Response>) => {
    const answers = await Promise.all([bodyOf(call()), bodyOf(call())]);
    const ids = new Set(answers.map(({ media_id }) => media_id));
    expect(ids.size).toBe(1);
    return String(answers[0]?.media_id);
  };
  const titled = async () => {
    const { items } = await bodyOf<{ items: { media_id: string; titles: string[] }[] }>(
      member.get(`${base}/drafts/box`),
    );
    return items.filter(({ titles }) => titles[0] === "Clicked twice").map((item) => item.media_id);
  };
  const first = await twice(() => member.post(`${path}/push`, {}));
  expect(await titled()).toEqual([first]);
  const second = await twice(() => member.post(`${path}/push`, { as_new: true }));
  expect((await titled()).sort()).toEqual([first, second].sort());
  const gone = await Promise.all([member.send("DELETE", path), member.send("DELETE", path)]);
  expect(gone.map(({ status }) => status)).toContain(200);
  expect(await titled()).toEqual([]);
});

test("what is refused says every problem, through the doors too", async () => {
  const draft = await newDraft("x".repeat(33));
  const refused = await member.post(`${base}/drafts/${draft.id}/push`, {});
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error: { code: "preflight_failed", problems: [{ code: "title_too_long" }, {}] },
  });
});

test("an article is written and shortened at the account's cost, by the writer's own key", async () => {
  const wanted = { brief: "Write about cranes", model: MODEL };
  const written = await bodyOf(member.post(`${base}/drafts/write`, wanted));
  expect(written).toMatchObject({ article: { type: "news" }, writing: [{ model: MODEL }] });
  const text = { model: MODEL, field: "title", text: "Cranes that stay all winter", limit: 20 };
  const shortened = await bodyOf(member.post(`${base}/drafts/shorten`, text));
  expect(shortened).toMatchObject({ object: "shortened_text", writing: [{ model: MODEL }] });
  const [call] = shortened.writing as { request_id: string }[];
  const receipt = await bodyOf(member.get(`${base}/requests/${call?.request_id}`));
  expect(receipt).toMatchObject({ key_name: "console: member@example.com" });
  const key = await bodyOf(member.get(`${base}/keys/${receipt.key_id}`));
  expect(Number(key.used_total)).toBeGreaterThan(Number(receipt.cost));
});

test("a public account of the built-in platform says where its box is shown", async () => {
  const { data } = await bodyOf<{ data: JsonObject[] }>(member.get(`${base}/public-accounts`));
  const [sandbox] = data.filter(({ kind }) => kind === "built-in");
  const path = String(sandbox?.material_path);
  expect(path).toBe(`/platform/material?account=${sandbox?.appid}`);
  expect((await member.get(path)).status).toBe(200);
});

test("what a model writes for no draft becomes one when it is there, once", async () => {
  const count = async () => (await bodyOf<{ data: object[] }>(member.get(`${base}/drafts`))).data;
  const before = (await count()).length;
  const wanted = { brief: "Write about storks", model: MODEL, keep: true };
  const refused = await member.post(`${base}/drafts/write`, { ...wanted, model: "none-such" });
  expect(refused.status).toBe(404);
  expect(await count()).toHaveLength(before);
  const headers = { "idempotency-key": "storks" };
  const write = () => bodyOf(member.send("POST", `${base}/drafts/write`, wanted, headers));
  const [first, second] = await Promise.all([write(), write()]);
  expect(second).toEqual(first);
  expect(await count()).toHaveLength(before + 1);
  const draft = await bodyOf(member.get(`${base}/drafts/${first.draft_id}`));
  expect(draft).toMatchObject({
    status: "local",
    articles: [first.article],
    writing: first.writing,
  });
});

test("two clicks at once, or one that is sent again, have it written and paid once", async () => {
  const draft = await newDraft("Written twice");
  const writings = async () =>
    (await noted(account)).filter((action) => action === "draft.write").length;
  const notedBefore = await writings();
  const wanted = { brief: "Write about geese", model: MODEL, draft: draft.id };
  const headers = { "idempotency-key": "geese" };
  const write = (body: JsonObject = wanted) =>
    member.send("POST", `${base}/drafts/write`, body, headers);
  const answers = await Promise.all([bodyOf(write()), bodyOf(write()), bodyOf(write())]);
  answers.push(await bodyOf(write()));
  expect(answers[0]).toMatchObject({ article: { type: "news" }, writing: [{ model: MODEL }] });
  for (const answer of answers) expect(answer).toEqual(answers[0] ?? {});
  const { writing } = await bodyOf(member.get(`${base}/drafts/${draft.id}`));
  expect(writing).toEqual(answers[0]?.writing);
  expect(await writings()).toBe(notedBefore + 1);
  const other = await write({ ...wanted, brief: "Write about ducks" });
  expect(other.status).toBe(409);
  expect(await other.json()).toMatchObject({ error: { code: "idempotency_conflict" } });
});

test("two clicks at once make one working copy", async () => {
  const headers = { "idempotency-key": "a new one" };
  const create = () =>
    bodyOf(member.send("POST", `${base}/drafts`, { articles: [article("Once")] }, headers));
  const [first, second] = await Promise.all([create(), create()]);
  expect(second?.id).toBe(first?.id);
  const { data } = await bodyOf<{ data: { articles: JsonObject[] }[] }>(
    member.get(`${base}/drafts`),
  );
  expect(data.filter(({ articles }) => articles[0]?.title === "Once")).toHaveLength(1);
});

test("public accounts are added and changed by owners, and their secrets never shown", async () => {
  const form = { name: "real", appid: "wx1", secret: "s3cret-of-it" };
  const address = { platform_url: "https://api.weixin.qq.com" };
  const added = await bodyOf(owner.post(`${base}/public-accounts`, { ...form, ...address }));
  expect(added).toMatchObject({ name: "real", kind: "wechat", can_publish: false });
  const change = { is_default: true, theme: "ink", author: "Ada" };
  const path = `${base}/public-accounts/${added.id}`;
  expect(await bodyOf(owner.send("PATCH", path, change))).toMatchObject(change);
  expect(await bodyOf(member.get(path))).toMatchObject({ id: added.id, ...change });
  const bad = await owner.send("PATCH", path, { theme: "none" });
  expect(await bad.json()).toMatchObject({ error: { param: "theme" } });
  const list = await (await member.get(`${base}/public-accounts`)).text();
  expect(list).not.toContain(form.secret);
  await bodyOf(owner.send("DELETE", path));
  const rest = await bodyOf<{ data: JsonObject[] }>(member.get(`${base}/public-accounts`));
  expect(rest.data).toMatchObject([{ name: "sandbox", is_default: true }]);
  const own = `${base}/public-accounts/${rest.data[0]?.id}`;
  expect(await bodyOf(member.post(`${own}/doctor`, {}))).toMatchObject({ healthy: true });
});
