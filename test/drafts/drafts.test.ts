// From a brief to the draft box over real HTTP: what is sent, what is kept and what is charged.
import { describe, expect, test } from "bun:test";
import { expectRightBooks, keyFacts, nano } from "../support/books.ts";
import { type ErrorFields, expectError } from "../support/errors.ts";
import { receipts } from "../support/houses/database.ts";
import {
  ARTICLE,
  type DraftAnswer,
  draftsServer,
  SCRIPTED_MODEL,
} from "../support/houses/drafts-server.ts";
import { perFile } from "../support/houses/house.ts";
import { type JsonObject, MODEL } from "../support/samples/wires.ts";

const house = await perFile((parts) => draftsServer(parts, { FAREGATE_DRAFTS_PUBLISH: "on" }));

interface DraftError extends ErrorFields, JsonObject {
  readonly draft_id?: string;
  readonly problems?: readonly { readonly field: string; readonly found: number }[];
  readonly writing?: readonly JsonObject[];
}

async function refused(body: unknown, status: number, key?: string): Promise<DraftError> {
  const response = await house.post("/drafts", body, key);
  expect(response.status).toBe(status);
  return ((await response.json()) as { error: DraftError }).error;
}

const used = async () => nano((await keyFacts(house.server, house.server.firstKey)).used);
const calls = async () => (await receipts(house.database)).filter(({ cost }) => cost > 0n).length;

describe("a brief", () => {
  test("ends in the box, with the model call on its receipt, and leaves it when published", async () => {
    const before = await used();
    const draft = await house.made("/drafts", { brief: "Write about cranes", model: MODEL });
    expect(draft).toMatchObject({ status: "in_box", version: 1, pushed_version: 1 });
    expect(draft.media_id).toBeString();
    expect(await house.box()).toContain(draft.media_id ?? "");
    const [call] = draft.writing;
    expect(call).toMatchObject({ model: MODEL, purpose: "write" });
    expect((draft.receipt as JsonObject).writing).toEqual(draft.writing);
    expect(await used()).toBe(before + nano(call?.cost ?? ""));
    const generation = await house.read<{ data: JsonObject }>(`/generation?id=${call?.request_id}`);
    expect(generation).toBeDefined();

    const published = await house.made(`/drafts/${draft.id}:publish`, {});
    expect(published.status).toBe("published");
    expect(await house.box()).not.toContain(draft.media_id ?? "");
    const read = await house.read(`/drafts/${draft.id}`);
    expect(read).toMatchObject({ status: "published", box: { in_box: false } });
  });

  test("for a draft that is there puts its calls on that draft's receipt", async () => {
    const draft = await house.made("/drafts", { markdown: "Words.", title: "Mine" });
    expect(draft.writing).toEqual([]);
    const ask = { model: MODEL, draft: draft.id };
    const written = await house.made("/drafts:write", { ...ask, brief: "Write about cranes" });
    const text = { field: "title", text: "A title that is too long", limit: 10 };
    const shorter = await house.made("/drafts:shorten", { ...ask, ...text });
    const calls = [...written.writing, ...shorter.writing];
    expect(calls).toHaveLength(2);
    expect((await house.read<DraftAnswer>(`/drafts/${draft.id}`)).writing).toEqual(calls);
    const before = await used();
    const stranger = await house.post("/drafts:write", { ...ask, brief: "b", draft: "drf_none" });
    expect(stranger.status).toBe(404);
    expect(await used()).toBe(before);
  });

  test("that is refused after it was written costs the model's calls and is kept", async () => {
    const before = { used: await used(), box: await house.box() };
    house.modelSays({ ...ARTICLE, title: "x".repeat(60) }, { title: "x".repeat(40) });
    const error = await refused({ brief: "b", model: SCRIPTED_MODEL }, 400);
    expect(error).toMatchObject({ code: "preflight_failed", param: "articles[0].title" });
    expect(error.message).toMatch(/40 characters; at most 32/);
    expect(error.writing).toHaveLength(2);
    expect(house.vendor.calls).toHaveLength(2);
    const costs = (error.writing ?? []).map(({ cost }) => nano(String(cost)));
    expect(costs.every((cost) => cost > 0n)).toBe(true);
    expect(await used()).toBe(before.used + costs.reduce((sum, cost) => sum + cost, 0n));
    expect(await house.box()).toEqual(before.box);

    // The text is not lost: a shorter title is all it takes.
    const patched = await house.server.fetch(`/drafts/${error.draft_id}`, house.server.firstKey, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "Cranes" }),
    });
    const draft = (await patched.json()) as DraftAnswer;
    expect(draft).toMatchObject({ status: "in_box", writing: error.writing ?? [] });
    expect(house.vendor.calls).toHaveLength(2);
  });

  test("whose model writes no article is charged, shown and not kept", async () => {
    const before = await used();
    house.modelSays("I would rather talk about storks.");
    const error = await refused({ brief: "b", model: SCRIPTED_MODEL }, 502);
    expect(error).toMatchObject({ code: "writing_failed", type: "model_error" });
    expect(error.draft_id).toBeUndefined();
    const cost = nano(String(error.writing?.[0]?.cost));
    expect(cost).toBeGreaterThan(0n);
    expect(await used()).toBe(before + cost);
  });

  test("is judged before its model is paid", async () => {
    house.modelSays(ARTICLE);
    const form = { brief: "b", model: SCRIPTED_MODEL };
    const error = await refused({ ...form, author: "a".repeat(17) }, 400);
    expect(error).toMatchObject({ code: "preflight_failed", param: "articles[0].author" });
    await refused({ ...form, account: "none" }, 404);
    await refused({ ...form, theme: "none" }, 400);
    await refused({ ...form, model: "none" }, 404);
    expect(house.vendor.calls).toHaveLength(0);
  });

  test("is refused with the key's own limits: no money, no article", async () => {
    const { key } = await house.server.account("0");
    const error = await refused({ brief: "b", model: MODEL }, 400, key);
    expect(error.type).toBe("budget_exceeded");
    const list = await house.server.fetch("/drafts", key);
    expect(((await list.json()) as { data: unknown[] }).data).toEqual([]);
  });

  test("can be tried without anything being stored", async () => {
    house.modelSays(ARTICLE);
    const before = await house.box();
    const form = { brief: "b", model: SCRIPTED_MODEL, dry_run: true };
    const preview = await house.made<JsonObject>("/drafts", form);
    expect(preview).toMatchObject({ object: "draft_preview", ok: true });
    expect(preview.written).toMatchObject({ article: { title: ARTICLE.title }, writing: [{}] });
    expect(await house.box()).toEqual(before);
  });
});

describe("an Idempotency-Key", () => {
  const key = { "idempotency-key": "once" };

  test("makes one draft and pays one model, however often and at once it is sent", async () => {
    house.modelSays(ARTICLE, ARTICLE, ARTICLE);
    const paid = await calls();
    const form = { brief: "b", model: SCRIPTED_MODEL, title: "Only once" };
    const drafts = await Promise.all([1, 2, 3].map(() => house.made("/drafts", form, key)));
    drafts.push(await house.made("/drafts", form, key));
    expect(new Set(drafts.map(({ id }) => id)).size).toBe(1);
    expect(new Set(drafts.map(({ media_id }) => media_id)).size).toBe(1);
    expect(house.vendor.calls).toHaveLength(1);
    expect(await calls()).toBe(paid + 1);
    const [draft] = drafts;
    expect((await house.box()).filter((id) => id === draft?.media_id)).toHaveLength(1);
  });

  test("of a call that was killed when its model was paid leads to what that wrote, for nothing", async () => {
    house.modelSays(ARTICLE, "another");
    const killed = { "idempotency-key": "killed" };
    const form = { brief: "b", model: SCRIPTED_MODEL };
    const first = await house.made("/drafts", form, killed);
    const paid = await calls();
    // As it stands where the draft was not kept yet, and the time of who made it is over.
    const sql = await house.database.console();
    await sql.query(
      "update draft_keys set draft_id = null, answer = null, lease_until = 0 where idem_key = $1",
      [killed["idempotency-key"]],
    );
    const again = await house.made("/drafts", form, killed);
    expect(again.id).not.toBe(first.id);
    expect(again).toMatchObject({ status: "in_box", writing: first.writing });
    expect(house.vendor.calls).toHaveLength(1);
    expect(await calls()).toBe(paid);
  });

  test("is refused with another body, and free again after a call that came to nothing", async () => {
    const other = { markdown: "# Another\n\ntext" };
    const conflict = await house.post("/drafts", other, house.server.firstKey, key);
    await expectError(conflict, {
      status: 409,
      code: "idempotency_conflict",
      param: "Idempotency-Key",
    });
    const again = { "idempotency-key": "again" };
    house.modelSays("no article", ARTICLE);
    const form = { brief: "b", model: SCRIPTED_MODEL };
    const failed = await house.post("/drafts", form, house.server.firstKey, again);
    expect(failed.status).toBe(502);
    expect((await house.made("/drafts", form, again)).status).toBe("in_box");
  });
});

describe("a text of one's own", () => {
  test("is previewed without a call, added, changed, listed and deleted", async () => {
    const markdown = "---\nauthor: Ada\n---\n# Storks\n\nThey *clap*.";
    const preview = await house.made<JsonObject>("/drafts:preview", { markdown });
    expect(preview).toMatchObject({ ok: true, articles: [{ title: "Storks", author: "Ada" }] });
    const draft = await house.made("/drafts", { markdown, theme: "engineer" });
    expect(draft.writing).toEqual([]);
    const list = await house.read<{ data: DraftAnswer[] }>("/drafts?limit=1");
    expect(list.data[0]).toMatchObject({ id: draft.id, articles: [{ title: "Storks" }] });

    const changed = await house.server.fetch(`/drafts/${draft.id}`, house.server.firstKey, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ digest: "Of storks." }),
    });
    expect(await changed.json()).toMatchObject({ media_id: draft.media_id, pushed_version: 2 });
    const read = await house.read<JsonObject>(`/drafts/${draft.id}`);
    expect(read.box).toMatchObject({ in_box: true, articles: [{ digest: "Of storks." }] });

    const init = { method: "DELETE" };
    const gone = await house.server.fetch(`/drafts/${draft.id}`, house.server.firstKey, init);
    expect(await gone.json()).toEqual({ object: "draft", id: draft.id, deleted: true });
    expect(await house.box()).not.toContain(draft.media_id ?? "");
  });

  test("belongs to its account alone", async () => {
    const draft = await house.made("/drafts", { markdown: "# Mine\n\ntext" });
    const { key } = await house.server.account("1");
    const read = await house.server.fetch(`/drafts/${draft.id}`, key);
    await expectError(read, { status: 404, code: "not_found" });
    const retry = await house.post(`/drafts/${draft.id}:retry`, {}, key);
    await expectError(retry, { status: 404, code: "not_found" });
  });

  test.each([
    [{}, "missing_required_parameter", "markdown"],
    [{ markdown: "a", html: "b" }, "invalid_value", "html"],
    [{ brief: "b" }, "missing_required_parameter", "model"],
    [{ brief: " ", model: MODEL }, "invalid_value", "brief"],
    [{ markdown: "# T\n\nx", colour: "red" }, "unsupported_parameter", "colour"],
    [{ markdown: 7 }, "invalid_value", "markdown"],
    [{ articles: [] }, "invalid_value", "articles"],
    [{ articles: [{ markdown: "# T\n\nx", cover: {} }] }, "invalid_value", "articles[0].cover"],
    [{ markdown: "text" }, "preflight_failed", "articles[0].title"],
    [{ markdown: `# ${"长".repeat(33)}\n\nx` }, "preflight_failed", "articles[0].title"],
    [{ markdown: "# T" }, "preflight_failed", "articles[0].source.text"],
  ])("%j is refused and nothing is kept of it", async (body, code, param) => {
    const before = await house.read<{ data: unknown[] }>("/drafts?limit=200");
    expect(await refused(body, 400)).toMatchObject({ code, param });
    const after = await house.read<{ data: unknown[] }>("/drafts?limit=200");
    expect(after.data).toHaveLength(before.data.length);
  });

  test("says of a picture in a private network that it is one, and fetches nothing", async () => {
    const markdown = "# T\n\n![a](http://127.0.0.1:9/a.png)";
    const error = await refused({ markdown }, 400);
    expect(error).toMatchObject({ code: "preflight_failed", param: "articles[0].source.text" });
    expect(error.message).toContain("private network");
  });
});

describe("the doors", () => {
  test("are closed without a key, to one that is disabled, and to unknown calls", async () => {
    const { key, keyId } = await house.server.account("1");
    await house.server.command("key", "disable", keyId);
    for (const bad of ["", "sk-fg-none", key]) {
      const response = await house.server.fetch("/drafts", bad);
      await expectError(response, { status: 401, code: "invalid_api_key" });
    }
    const verb = await house.post("/drafts/drf_1:fly", {});
    await expectError(verb, { status: 404, code: "unknown_url" });
    const wrong = await house.server.fetch("/drafts:preview", house.server.firstKey);
    await expectError(wrong, { status: 405, code: "method_not_allowed" });
  });

  test("show public accounts and their health, and let only some keys change them", async () => {
    const { data } = await house.read<{ data: JsonObject[] }>("/wechat/accounts");
    expect(data).toMatchObject([{ name: "sandbox", kind: "built-in", can_publish: true }]);
    // What it is called by is told, and the thing itself nowhere.
    expect(data[0]?.credential).toBe("secret");
    expect(JSON.stringify({ ...data[0], credential: "" })).not.toContain("secret");
    const doctor = await house.made<JsonObject>("/wechat/accounts/sandbox:doctor", {});
    expect(doctor.healthy).toBe(true);
    const account = {
      ...{ name: "real", appid: "wx1", secret: "s3cret" },
      platform_url: "http://127.0.0.1:9",
    };
    const { key } = await house.server.account("1");
    const other = await house.post("/wechat/accounts", account, key);
    await expectError(other, { status: 403, code: "permission_denied" });
    const added = await house.made<JsonObject>("/wechat/accounts", account);
    expect(added).toMatchObject({ name: "real", kind: "wechat", is_default: true });
    const sick = await house.made<JsonObject>(`/wechat/accounts/${added.id}:doctor`, {});
    expect(sick.healthy).toBe(false);
    expect(JSON.stringify(sick)).not.toContain("s3cret");
    const path = `/wechat/accounts/${added.id}`;
    const gone = await house.server.fetch(path, house.server.firstKey, { method: "DELETE" });
    expect(await gone.json()).toEqual({ object: "public_account", id: added.id, deleted: true });
  });
});

test("the books are right after all of it", async () => {
  await expectRightBooks(house.server);
});
