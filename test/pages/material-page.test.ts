// The platform's material page and what it asks for, over real HTTP.
import { describe, expect, test } from "bun:test";
import { hostileContent, platformSender } from "../support/clients/platform-sender.ts";
import { Parts, perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

const PAGE = "/platform/material";
const ELSEWHERE = "http://127.0.0.1:9/away";
const SETTINGS = { FAREGATE_PLATFORM_PUBLISH_MS: "20" };

const house = await perFile((parts) => wholeConsole(parts, SETTINGS));
const operator = await house.operator("op@example.com");
const mine = await house.account(operator, "Mine");
const member = await house.person(operator, mine, "member", "member@example.com");
const viewer = await house.person(operator, mine, "viewer", "viewer@example.com");

async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  const body = (await response.json()) as Record<string, unknown>;
  expect([response.status, body.error]).toEqual([200, undefined]);
  return body;
}

const rowsOf = async (response: Response) =>
  (await jsonOf(response)).data as readonly Record<string, unknown>[];

/** A new public account of `mine`, and software that fills its box. */
async function box() {
  const made = await operator.post("/platform/__sandbox/accounts", { owner: mine });
  const account = (await made.json()) as { appid: string; secret: string };
  const sender = await platformSender(house.url, account);
  const path = `/api/platform/accounts/${account.appid}`;
  return { ...account, ...sender, path };
}

describe("the page", () => {
  test("sends those without a session to the console's door, and only a path of ours back", async () => {
    const target = `${PAGE}?draft=x&to=https://evil.example//evil.example`;
    const response = await house.visitor().get(target);
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get("location") ?? "", house.url);
    expect([location.origin, location.pathname]).toEqual([house.url, "/console/sign-in"]);
    expect(location.searchParams.get("to")).toBe(target);
    expect([...location.searchParams.keys()]).toEqual(["to"]);
  });

  test("is not for a token, which is no person before a screen", async () => {
    const headers = { authorization: "Bearer ot-fg-nothing" };
    const response = await fetch(house.url + PAGE, { headers, redirect: "manual" });
    expect(response.status).toBe(302);
  });

  test("opens to a session, under the console's policy, with frames of ours alone", async () => {
    const response = await viewer.get(PAGE);
    expect(response.status).toBe(200);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(await response.text()).toContain('<div id="console">');
  });
});

describe("public accounts", () => {
  test("an operator sees all, the installation's own among them; others those of their accounts", async () => {
    const { appid } = await box();
    const ofOperator = await rowsOf(await operator.get("/api/platform/accounts"));
    expect(ofOperator.map((row) => row.appid)).toContain(appid);
    expect(ofOperator.length).toBeGreaterThan(1);
    const ofViewer = await rowsOf(await viewer.get("/api/platform/accounts"));
    expect(ofViewer.every(({ owner, may_change }) => owner === "Mine" && !may_change)).toBe(true);
    expect(ofViewer.map((row) => row.appid)).toContain(appid);
  });

  test("show their rights, and what of the day is used", async () => {
    const { path, add } = await box();
    await add({ title: "One", content: "<p>words</p>" });
    const facts = await jsonOf(await viewer.get(path));
    expect(facts).toMatchObject({ type: "subscription", verified: true, drafts: 1, published: 0 });
    expect(facts.quotas).toContainEqual({ name: "draft_add", used: 1, max: 1000 });
  });
});

describe("what is done at the page", () => {
  const usedOf = async (path: string, name: string) => {
    const { quotas } = await jsonOf(await viewer.get(path));
    return (quotas as { name: string; used: number }[]).find((quota) => quota.name === name)?.used;
  };

  test.each([
    ["publish", "publish_submit", "/cgi-bin/freepublish/submit"],
    ["mass-send", "mass_send", "/cgi-bin/message/mass/sendall"],
  ] as const)(
    "%s counts like the call of a server, and ends where those end",
    async (action, name, cgi_path) => {
      const { path, add, appid, call } = await box();
      const [one, two] = [
        await add({ title: "One", content: "a" }),
        await add({ title: "Two", content: "b" }),
      ];
      expect(await usedOf(path, name)).toBe(0);
      await jsonOf(await member.post(`${path}/drafts/${one}/${action}`, {}));
      expect(await usedOf(path, name)).toBe(1);
      const { quota } = await call("/openapi/quota/get", { cgi_path });
      expect(quota).toEqual({ daily_limit: 100, used: 1, remain: 99 });
      await operator.send("PUT", "/platform/__sandbox/quotas", { appid, name, used: 100 });
      const refused = await member.post(`${path}/drafts/${two}/${action}`, {});
      expect(await refused.json()).toMatchObject({ error: { errcode: 45009 } });
      const rows = await rowsOf(await viewer.get(`${path}/drafts`));
      expect(rows.map((row) => row.media_id)).toEqual([two]);
    },
  );
});

describe("a draft", () => {
  test("is listed with its titles and cover, page by page", async () => {
    const { path, add } = await box();
    await add({ title: "First", content: "a" });
    await add({ title: "Second", content: "b" }, { title: "Third", content: "c" });
    const page = await jsonOf(await viewer.get(`${path}/drafts?limit=1`));
    expect(page.data).toMatchObject([{ titles: ["Second", "Third"], type: "news" }]);
    const [row] = page.data as { cover_url: string }[];
    expect((await fetch(house.url + row?.cover_url)).headers.get("content-type")).toBe("image/png");
    const rest = await jsonOf(await viewer.get(`${path}/drafts?limit=1&after=${page.next}`));
    expect([rest.data, rest.next]).toMatchObject([[{ titles: ["First"] }], null]);
    expect((await viewer.get(`${path}/drafts?after=x`)).status).toBe(400);
  });

  test("is shown as it was sent against as it is kept", async () => {
    const { path, add } = await box();
    const content = '<p>kept</p><script>x()</script><p onclick="y()">plain</p>';
    const id = await add({ title: "Sides", content, nonsense: 7 });
    const shown = await jsonOf(await viewer.get(`${path}/drafts/${id}`));
    const [article] = shown.articles as {
      lines: { kind: string; text: string }[];
      fields: object[];
    }[];
    expect(article?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "same <p>kept</p>",
      "dropped <script>x()</script>",
      'dropped <p onclick="y()">plain</p>',
      "added <p>plain</p>",
    ]);
    expect(article).toMatchObject({ dropped: 2, added: 1, lines_left_out: 0 });
    const digest = { name: "digest", submitted: null, stored: "keptplain", fate: "filled" };
    expect(article?.fields).toContainEqual(digest);
    const nonsense = { name: "nonsense", submitted: "7", stored: null, fate: "dropped" };
    expect(article?.fields).toContainEqual(nonsense);
  });

  test("is framed in a document in which nothing runs, with its own pictures only", async () => {
    const { path, add, bodyPicture } = await box();
    const own = await bodyPicture();
    const content = `${hostileContent(ELSEWHERE)}<img src="${own}">`;
    const id = await add({ title: "<b>Bold", author: "A&B", content });
    for (const version of ["stored", "submitted"]) {
      const response = await viewer.get(`${path}/drafts/${id}/frame?version=${version}`);
      const policy = response.headers.get("content-security-policy") ?? "";
      const guards = ["default-src 'none'", "img-src 'self'", "sandbox", "frame-ancestors 'self'"];
      for (const guard of guards) expect(policy).toContain(guard);
      expect(policy).not.toContain("script-src");
      expect(policy).not.toContain("allow-");
      expect(response.headers.get("x-frame-options")).toBe("SAMEORIGIN");
      const html = await response.text();
      expect(html).toContain('<h1 class="article-title">&lt;b>Bold</h1>');
      expect(html).toContain(`src="${new URL(own).pathname}"`);
      expect(html).not.toContain(`${ELSEWHERE}?pixel`);
    }
    expect((await viewer.get(`${path}/drafts/${id}/frame?article=1`)).status).toBe(400);
    expect((await viewer.get(`${path}/drafts/${id}/frame?version=old`)).status).toBe(400);
  });

  test.each(["publish", "mass-send"])("leaves the box by %s", async (way) => {
    const { path, add, count } = await box();
    const id = await add({ title: "Going out", content: "<p>words</p>" });
    expect((await viewer.post(`${path}/drafts/${id}/${way}`)).status).toBe(403);
    expect(await count()).toBe(1);
    const done = await jsonOf(await member.post(`${path}/drafts/${id}/${way}`));
    expect(done.status ?? 0).toBe(0);
    expect(await count()).toBe(0);
    expect((await viewer.get(`${path}/drafts/${id}`)).status).toBe(404);
    const again = await member.post(`${path}/drafts/${id}/${way}`);
    expect(again.status).toBe(404);
  });

  test("is read by everybody at its address once it is published", async () => {
    const { path, add } = await box();
    const id = await add({ title: "Read me", content: "<p>words for all</p>" });
    await jsonOf(await member.post(`${path}/drafts/${id}/publish`));
    const [published] = await rowsOf(await viewer.get(`${path}/published`));
    expect(published?.articles).toEqual([{ title: "Read me", url: expect.any(String) }]);
    const [article] = (published?.articles ?? []) as { url: string }[];
    expect(await (await fetch(house.url + article?.url)).text()).toContain("words for all");
  });

  test("is deleted for good, by members, and the audit log says by whom", async () => {
    const { path, appid, add, count } = await box();
    const id = await add({ title: "Going away", content: "<p>words</p>" });
    expect((await viewer.send("DELETE", `${path}/drafts/${id}`)).status).toBe(403);
    await jsonOf(await member.send("DELETE", `${path}/drafts/${id}`));
    expect(await count()).toBe(0);
    const log = await rowsOf(await operator.get("/api/operator/audit"));
    expect(log[0]).toMatchObject({ action: "material.delete", target: id, detail: { appid } });
  });

  test("is not found below another public account", async () => {
    const [one, other] = [await box(), await box()];
    const id = await one.add({ title: "Mine", content: "<p>words</p>" });
    for (const rest of ["", "/frame"]) {
      expect((await viewer.get(`${other.path}/drafts/${id}${rest}`)).status).toBe(404);
    }
    expect((await member.post(`${other.path}/drafts/${id}/publish`)).status).toBe(404);
    expect(await one.count()).toBe(1);
  });

  test("of an account that is not verified stays, in the platform's words", async () => {
    const { path, appid, add, count } = await box();
    const id = await add({ title: "Not yet", content: "<p>words</p>" });
    await operator.send("PATCH", `/platform/__sandbox/accounts/${appid}`, { verified: false });
    const refused = await member.post(`${path}/drafts/${id}/publish`);
    const { error } = (await refused.json()) as { error: object };
    expect(error).toMatchObject({ code: "platform_refused", errcode: 48001 });
    expect(await count()).toBe(1);
  });
});

test("without the controls there is no page, and nothing to ask", async () => {
  await using parts = new Parts();
  const plain = await wholeConsole(parts, { FAREGATE_PLATFORM_CONTROLS: "off" });
  const someone = await plain.operator("op@example.com");
  expect((await someone.get("/api/platform/accounts")).status).toBe(404);
  // The platform answers for every path below it that is not one of its calls.
  expect(await (await someone.get(PAGE)).json()).toMatchObject({ errcode: 40066 });
});
