// From a draft to what everybody can read, over the real server.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { onEngines } from "../../../test/store/engines.ts";
import { Parts, perSuite } from "../../../test/support/houses/house.ts";
import { servedPlatform } from "../../../test/support/houses/served-platform.ts";
import { wholeApp } from "../../../test/support/houses/whole-app.ts";
import { startHookReceiver } from "../../../test/support/outside/hook-receiver.ts";
import { ADD, expectRefusal, GOOD } from "../../../test/support/samples/platform-vectors.ts";
import { eventually } from "../../../test/support/waiting.ts";

onEngines("publishing on $name", (engine) => {
  const served = perSuite((parts) => servedPlatform(parts, {}, engine));
  const mine = perSuite(() => served.account());

  const draft = async (own = mine, body = GOOD) =>
    String((await served.post(ADD, body.replaceAll("THUMB", own.thumb), own)).body.media_id);
  const count = async (own = mine) =>
    (await served.get("/cgi-bin/draft/count", own)).body.total_count;
  const call = (name: string, body: unknown, own = mine) =>
    served.post(`/cgi-bin/freepublish/${name}`, JSON.stringify(body), own);
  const submit = async (mediaId: string, own = mine) =>
    Number((await call("submit", { media_id: mediaId }, own)).body.publish_id);
  /** How a publish has ended. */
  const ended = (publishId: number, own = mine) =>
    eventually("the publish has ended", async () => {
      const { body } = await call("get", { publish_id: publishId }, own);
      return body.publish_status === 1 ? undefined : body;
    });

  test("a draft becomes an article that is read, listed and deleted", async () => {
    await served.controlled("POST", "publishing", { delay_ms: 3_600_000 });
    const mediaId = await draft();
    const publishId = await submit(mediaId);
    expect((await call("get", { publish_id: publishId })).body).toEqual({
      publish_id: publishId,
      publish_status: 1,
      fail_idx: [],
    } as never);
    expect(await count()).toBe(1);
    expectRefusal(await call("submit", { media_id: mediaId }), 53503);
    await served.controlled("PUT", "clock", { offset_ms: 3_600_000 });
    const done = await ended(publishId);
    await served.controlled("PUT", "clock", { offset_ms: 0 });
    const articleId = String(done.article_id);
    expect(articleId).toMatch(/^[\w-]{43}$/);
    const detail = done.article_detail as { item: { article_url: string }[] };
    const address = String(detail.item[0]?.article_url);
    expect(done).toEqual({
      publish_id: publishId,
      publish_status: 0,
      article_id: articleId,
      article_detail: { count: 1, item: [{ idx: 1, article_url: address }] },
      fail_idx: [],
    } as never);
    expect(await count()).toBe(0);

    expect(address).toStartWith(`${served.url}/s?__biz=`);
    const page = await fetch(address);
    expect(page.headers.get("content-security-policy")).toStartWith("sandbox;");
    expect(await page.text()).toContain("正文");

    const article = await call("getarticle", { article_id: articleId });
    const item = { title: "标题", is_deleted: false, url: address };
    expect(article.body.news_item).toEqual([expect.objectContaining(item)]);
    const list = await call("batchget", { offset: 0, count: 20, no_content: 1 });
    expect(list.body).toMatchObject({ total_count: 1, item: [{ article_id: articleId }] });
    expect(list.text).not.toContain("正文");

    expectRefusal(await call("delete", { article_id: articleId, index: 2 }), 40114);
    expect((await call("delete", { article_id: articleId })).body.errcode).toBe(0);
    expectRefusal(await call("getarticle", { article_id: articleId }), 53600);
    expect((await call("batchget", { offset: 0, count: 20 })).body.total_count).toBe(0);
    expect((await call("get", { publish_id: String(publishId) })).body.publish_status).toBe(5);
    expect((await fetch(address)).headers.get("content-type")).toBe("application/json");
  });

  test("one of two articles can be deleted", async () => {
    const one = `{"title":"t","content":"c","thumb_media_id":"THUMB"}`;
    const publishId = await submit(await draft(mine, `{"articles":[${one},${one}]}`));
    const { article_id } = await ended(publishId);
    await call("delete", { article_id, index: 2 });
    const { body } = await call("getarticle", { article_id });
    const items = body.news_item as { is_deleted: boolean }[];
    expect(items.map((item) => item.is_deleted)).toEqual([false, true]);
  });

  test("articles that are deleted at the same moment are all gone", async () => {
    const one = `{"title":"t","content":"c","thumb_media_id":"THUMB"}`;
    const three = `{"articles":[${one},${one},${one}]}`;
    const publishId = await submit(await draft(mine, three));
    const { article_id } = await ended(publishId);
    await Promise.all([1, 2, 3].map((index) => call("delete", { article_id, index })));
    expectRefusal(await call("getarticle", { article_id }), 53600);
    expect((await call("get", { publish_id: String(publishId) })).body.publish_status).toBe(5);
  });

  test("an article is deleted, however a state that was put back writes those that are gone", async () => {
    const own = await served.account();
    const one = `{"title":"t","content":"c","thumb_media_id":"THUMB"}`;
    const mediaId = await draft(own, `{"articles":[${one},${one},${one}]}`);
    const { article_id } = await ended(await submit(mediaId, own), own);
    await call("delete", { article_id, index: 1 }, own);
    const state = await served.controlled("GET", "state");
    const text = JSON.stringify(state).replaceAll('"deleted":"[1]"', '"deleted":"[ 1 ]"');
    expect(text).toContain("[ 1 ]");
    await served.controlled("PUT", "state", JSON.parse(text));
    await call("delete", { article_id, index: 2 }, own);
    const { body } = await call("getarticle", { article_id }, own);
    const items = body.news_item as { is_deleted: boolean }[];
    expect(items.map((item) => item.is_deleted)).toEqual([true, true, false]);
  });

  test.each([2, 3, 4])("a publish that ends with %d leaves the draft", async (status) => {
    const own = await served.account();
    await served.controlled("POST", "publishing", { status, fail_idx: [1], delay_ms: 0 });
    const mediaId = await draft(own);
    const publishId = await submit(mediaId, own);
    expect(await ended(publishId, own)).toEqual({
      publish_id: publishId,
      publish_status: status,
      fail_idx: [1],
    } as never);
    expect(await count(own)).toBe(1);
    // It can be handed in again.
    expect((await ended(await submit(mediaId, own), own)).publish_status).toBe(0);
  });

  test("a draft that is deleted before its time is not published", async () => {
    const own = await served.account();
    await served.controlled("POST", "publishing", { delay_ms: 60_000 });
    const mediaId = await draft(own);
    const publishId = await submit(mediaId, own);
    await served.post("/cgi-bin/draft/delete", `{"media_id":"${mediaId}"}`, own);
    await served.controlled("PUT", "clock", { offset_ms: 60_000 });
    expect((await ended(publishId, own)).publish_status).toBe(3);
    await served.controlled("PUT", "clock", { offset_ms: 0 });
  });

  test("a mass send takes the draft out of the box, once for each id of its sender", async () => {
    const own = await served.account();
    const send = (mediaId: string, more = {}) =>
      served.post(
        "/cgi-bin/message/mass/sendall",
        JSON.stringify({
          filter: { is_to_all: true },
          mpnews: { media_id: mediaId },
          msgtype: "mpnews",
          ...more,
        }),
        own,
      );
    const first = await draft(own);
    const sent = await send(first, { clientmsgid: "once" });
    expect(sent.text).toMatch(
      /^\{"errcode":0,"errmsg":"send job submission success","msg_id":\d+,"msg_data_id":\d+\}$/,
    );
    expect(await count(own)).toBe(0);
    expectRefusal(await send(first), 40007);
    // Who did not hear the answer and asks again learns that it was sent.
    expectRefusal(await send(first, { clientmsgid: "once" }), 45065, "clientmsgid exist");
    for (const mediaId of ["no draft", "x".repeat(200), "\u0000"]) {
      expectRefusal(await send(mediaId, { clientmsgid: "another" }), 40007);
    }
    const second = await draft(own);
    expectRefusal(await send(second, { clientmsgid: "once" }), 45065, "clientmsgid exist");
    expectRefusal(await send(second, { clientmsgid: "x".repeat(65) }), 45067);
    expectRefusal(await send(second, { msgtype: "text" }), 40008);
    expect(await count(own)).toBe(1);
    // What was sent is not among what was published.
    expect((await call("batchget", { offset: 0, count: 20 }, own)).body.total_count).toBe(0);
  });

  test("an account that is not verified publishes and sends nothing", async () => {
    const own = await served.account({ verified: false });
    const mediaId = await draft(own);
    expectRefusal(await call("submit", { media_id: mediaId }, own), 48001);
    expectRefusal(await call("batchget", { offset: 0, count: 1 }, own), 48001);
    const body = `{"msgtype":"mpnews","mpnews":{"media_id":"${mediaId}"}}`;
    expectRefusal(await served.post("/cgi-bin/message/mass/sendall", body, own), 48001);
    expect(await count(own)).toBe(1);
  });

  test("what does not name a publish or an article is refused", async () => {
    for (const publish_id of [1, "x", null])
      expectRefusal(await call("get", { publish_id }), 40097);
    for (const article_id of ["A", "", 1]) {
      expectRefusal(await call("getarticle", { article_id }), 53600);
    }
    expectRefusal(await call("submit", {}), 41006);
    expectRefusal(await call("submit", { media_id: "\u0000" }), 40007);
  });

  test("the account's server is told, signed, and again until it listens", async () => {
    const receiver = startHookReceiver();
    const queries: URLSearchParams[] = [];
    let refusals = 1;
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const url = new URL(request.url);
        queries.push(url.searchParams);
        if (refusals-- > 0) return new Response("later", { status: 503 });
        await fetch(receiver.url, { method: "POST", body: await request.text() });
        return new Response("success");
      },
    });
    const own = await served.account({ callback: `http://127.0.0.1:${server.port}/wx?shop=1` });
    const publishId = await submit(await draft(own), own);
    const { article_id } = await ended(publishId, own);
    await eventually("it was called", () => queries.length === 1);
    // The next try is five seconds of the platform's time later.
    await served.controlled("PUT", "clock", { offset_ms: 6_000 });
    const told = await eventually("it was told", () => receiver.calls[0]);
    await served.controlled("PUT", "clock", { offset_ms: 0 });
    expect(told.body).toContain("<Event><![CDATA[PUBLISHJOBFINISH]]></Event>");
    expect(told.body).toContain(
      `<publish_id>${publishId}</publish_id><publish_status>0</publish_status>` +
        `<article_id><![CDATA[${article_id}]]></article_id>`,
    );
    const query = queries[1];
    const words = [own.secret, query?.get("timestamp") ?? "", query?.get("nonce") ?? ""];
    const signature = createHash("sha1").update(words.sort().join("")).digest("hex");
    expect(query?.get("signature")).toBe(signature);
    expect(query?.get("shop")).toBe("1");
    await server.stop(true);
    await receiver.close();
  });
});

onEngines("a restart on $name", (engine) => {
  test("finishes what was under way", async () => {
    await using parts = new Parts();
    const served = await servedPlatform(parts, {}, engine);
    const own = await served.account();
    const add = await served.post(ADD, GOOD.replaceAll("THUMB", own.thumb), own);
    // Due now by the real clock, and in an hour by that of the first process.
    await served.controlled("PUT", "clock", { offset_ms: -3_600_000 });
    await served.controlled("POST", "publishing", { delay_ms: 3_600_000 });
    await served.post("/cgi-bin/freepublish/submit", JSON.stringify(add.body), own);
    expect((await served.get("/cgi-bin/draft/count", own)).body.total_count).toBe(1);
    await served.stop();
    const { url } = await wholeApp(parts, served.site);
    const address = `${url}/platform/cgi-bin/draft/count`;
    await eventually("the box is empty", async () => {
      const answer = await fetch(`${address}?access_token=${own.token}`);
      return ((await answer.json()) as { total_count: number }).total_count === 0;
    });
  });
});
