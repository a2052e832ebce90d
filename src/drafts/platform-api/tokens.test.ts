import { expect, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { STUB_URL, WechatStub } from "../../../test/support/outside/wechat-stub.ts";
import { VAULT } from "../../../test/support/vault.ts";
import type { TokenHolder } from "./credential.ts";
import { type PlatformFetch, PlatformHttp } from "./platform-http.ts";

import { Tokens } from "./tokens.ts";

const LIMITS = { draft_call_ms: 30_000, draft_upload_ms: 60_000, draft_answer_bytes_max: 1 << 20 };

onEngines("tokens on $name", (engine) => {
  const drafts = perSuite((parts) => draftStores(parts, engine));
  const other = perSuite(() => drafts.again());

  function world() {
    const time = { nowMs: 1_800_000_000_000 };
    const stub = new WechatStub({ clock: () => time.nowMs, pass: () => {} });
    const process = (store = drafts.store, fetch: PlatformFetch = stub.fetch) =>
      new Tokens({
        store: store.tokens,
        grants: store.grants,
        wire: new PlatformHttp(fetch, LIMITS, () => time.nowMs),
        vault: VAULT,
        clock: () => time.nowMs,
        steady: () => time.nowMs,
        sleep: async (ms) => {
          time.nowMs += ms;
          await Bun.sleep(1);
        },
        callMs: LIMITS.draft_call_ms,
      });
    const holder: TokenHolder = {
      box: "box",
      platformUrl: STUB_URL,
      appid: stub.appid,
      credential: { kind: "secret", secret: stub.secret },
    };
    const asked = () => stub.calls.filter((path) => path.endsWith("stable_token")).length;
    return { time, stub, process, holder, asked };
  }

  test("are fetched once by any number of callers in several processes", async () => {
    const { stub, process, holder, asked } = world();
    const [one, two] = [process(), process(other)];
    const replies = await Promise.all(
      [...Array(5)].flatMap(() => [one.get(holder), two.get(holder)]),
    );
    expect(new Set(replies.map((reply) => reply.kind === "ok" && reply.value)).size).toBe(1);
    expect(replies[0]?.kind).toBe("ok");
    expect(asked()).toBe(1);
    expect(stub.calls).toEqual(["/cgi-bin/stable_token"]);
  });

  test("are asked for again, however long a platform says that they last", async () => {
    const { time, stub, process, holder, asked } = world();
    const lasting: PlatformFetch = async (address, call) => {
      const answer = await stub.fetch(address, call);
      const body = { ...JSON.parse(Buffer.from(answer.bytes).toString()), expires_in: 1e300 };
      return { ...answer, bytes: Buffer.from(JSON.stringify(body)) };
    };
    const tokens = process(drafts.store, lasting);
    expect((await tokens.get({ ...holder, box: "lasting" })).kind).toBe("ok");
    time.nowMs += 86_400_000;
    expect((await tokens.get({ ...holder, box: "lasting" })).kind).toBe("ok");
    expect(asked()).toBe(2);
  });

  test("are kept until five minutes before their end, and never forced", async () => {
    const { time, process, holder, asked } = world();
    const bodies: string[] = [];
    const tokens = process();
    await tokens.get(holder);
    time.nowMs += (7_200 - 301) * 1000;
    await tokens.get(holder);
    expect(asked()).toBe(1);
    time.nowMs += 2_000;
    const watching = process(drafts.store, async (address, call) => {
      bodies.push(new TextDecoder().decode(call.body));
      const { fetch } = world().stub;
      return fetch(address, call);
    });
    await watching.get(holder);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toContain("force_refresh");
  });

  test("that were refused are dropped only by who holds the stored one", async () => {
    const { stub, process, holder, asked } = world();
    const tokens = process();
    const first = await tokens.get(holder);
    if (first.kind !== "ok") throw new Error("no token");
    stub.killToken();
    await tokens.drop(holder, first.value);
    const second = await tokens.get(holder);
    // A slower caller complains of the same old token: the new one stays.
    await tokens.drop(holder, first.value);
    expect(await tokens.get(holder)).toMatchObject({ kind: "ok" });
    expect(second.kind === "ok" && second.value).not.toBe(first.value);
    expect(asked()).toBe(2);
  });

  test("are not met by somebody who does not know the secret", async () => {
    const { process, holder } = world();
    await process().get(holder);
    const thief = await process().get({
      ...holder,
      credential: { kind: "secret", secret: "e".repeat(32) },
    });
    expect(thief).toMatchObject({ kind: "refused", refusal: { errcode: 40125, class: "config" } });
  });

  test("are fetched by the next one when a process dies while it fetches", async () => {
    const { process, holder, asked } = world();
    const fetching = Promise.withResolvers<void>();
    const hanging = process(drafts.store, () => {
      fetching.resolve();
      return new Promise(() => {});
    });
    void hanging.get(holder);
    await fetching.promise;
    expect(await process(other).get(holder)).toMatchObject({ kind: "ok" });
    expect(asked()).toBe(1);
  });
});
