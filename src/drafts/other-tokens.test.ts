import { expect, test } from "bun:test";
import { onEngines } from "../../test/store/engines.ts";
import { failureOf } from "../../test/store/samples.ts";
import { draftStores } from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { STUB_URL } from "../../test/support/outside/wechat-stub.ts";
import { VAULT } from "../../test/support/vault.ts";
import { StorageError } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { PublicAccountAccess } from "./draft.ts";
import type { SuppliedCredential, TokenHolder } from "./platform-api/credential.ts";
import {
  type PlatformCall,
  type PlatformFetch,
  PlatformHttp,
} from "./platform-api/platform-http.ts";
import { Tokens } from "./platform-api/tokens.ts";

const LIMITS = { draft_call_ms: 30_000, draft_upload_ms: 60_000, draft_answer_bytes_max: 1 << 20 };
const SOURCE = "https://tokens.test/mp?app=wx1&key=in-the-address";
const NO_ACCESS = {
  ...{ proxyOrigin: null, sealedProxy: null, sourceOrigin: null, sealedSource: null },
  ...{ componentAppid: null, sealedComponentSecret: null },
};

function answer(body: unknown, status = 200) {
  return {
    ...{ status, headers: {}, url: "" },
    bytes: new TextEncoder().encode(JSON.stringify(body)),
  };
}

onEngines("tokens of others on $name", (engine) => {
  const drafts = perSuite((parts) => draftStores(parts, engine));
  const other = perSuite(() => drafts.again());

  async function world(access: Partial<PublicAccountAccess>, fetch: PlatformFetch) {
    const time = { nowMs: 1_800_000_000_000 };
    const calls: { address: string; call: PlatformCall }[] = [];
    const open = (store = drafts.store, fetching = fetch) =>
      new Tokens({
        ...{ store: store.tokens, grants: store.grants, vault: VAULT },
        wire: new PlatformHttp(
          (address, call) => {
            calls.push({ address, call });
            return fetching(address, call);
          },
          LIMITS,
          () => time.nowMs,
        ),
        clock: () => time.nowMs,
        steady: () => time.nowMs,
        sleep: async (ms) => {
          time.nowMs += ms;
          await Bun.sleep(1);
        },
        callMs: LIMITS.draft_call_ms,
      });
    const [id, accountId] = [newId("pub_"), newId("acc_")];
    await drafts.store.publicAccounts.add({
      ...{ id, name: id, accountId, kind: "wechat", appid: "wx1", sealedSecret: VAULT.seal("") },
      ...{ platformUrl: STUB_URL, isDefault: false, theme: null, author: null },
      ...{ publishAllowed: false, createdAtMs: time.nowMs },
      access: { ...NO_ACCESS, credential: "supplied", ...access },
    });
    return { time, calls, open, id, accountId };
  }

  function supplied(publicAccountId: string, source?: SuppliedCredential["source"]) {
    const holder: TokenHolder = {
      ...{ box: "box", platformUrl: STUB_URL, appid: "wx1" },
      credential: { kind: "supplied", publicAccountId, source },
    };
    return holder;
  }

  test("that were handed to us are used until their end, and nobody is asked", async () => {
    const { time, calls, open, id } = await world({}, async () => answer({}));
    const { grants } = drafts.store;
    const holder = supplied(id);
    const none = await open().get(holder);
    expect(none).toMatchObject({ kind: "refused", refusal: { class: "token_source" } });
    await grants.saveToken(id, VAULT.seal("handed"), time.nowMs + 1_000);
    expect(await open(other).get(holder)).toMatchObject({ kind: "ok", value: "handed" });
    time.nowMs += 1_000;
    const ended = await open().get(holder);
    if (ended.kind !== "refused") throw new Error("an old token was used");
    expect(ended.refusal.errmsg).toContain("has ended");
    expect(ended.refusal.fix).toContain(`PUT /v1/wechat/accounts/${id}/token`);
    await grants.saveToken(id, VAULT.seal("second"), time.nowMs + 9_000);
    // Somebody complains of the first one; the second one stays.
    await open().drop(holder, "handed");
    expect(await open().get(holder)).toMatchObject({ value: "second" });
    await open().drop(holder, "second");
    expect((await open().get(holder)).kind).toBe("refused");
    expect(calls).toEqual([]);
  });

  test("of a source are asked for once by all, with the bearer, and again when dropped", async () => {
    let serial = 0;
    const { calls, open, id } = await world({}, async () => {
      serial += 1;
      return answer({ access_token: `central-${serial}`, expires_in: 7_200 });
    });
    const holder = supplied(id, { url: SOURCE, bearer: "b3arer" });
    const [one, two] = [open(), open(other)];
    const replies = await Promise.all([one.get(holder), two.get(holder), one.get(holder)]);
    expect(replies.map((reply) => reply.kind === "ok" && reply.value)).toEqual(
      Array(3).fill("central-1"),
    );
    expect(calls).toHaveLength(1);
    expect(calls[0]?.address).toBe(SOURCE);
    expect(calls[0]?.call).toMatchObject({
      method: "GET",
      headers: { authorization: "Bearer b3arer" },
    });
    await one.drop(holder, "central-1");
    expect(await two.get(holder)).toMatchObject({ value: "central-2" });
  });

  test.each([
    [{ nothing: 1 }, 200, "lacks what was asked for"],
    [{ access_token: "x", expires_in: 7_200 }, 500, "HTTP 500"],
    [{ access_token: "x", expires_in: 7_200 }, 401, "HTTP 401"],
    [{ errcode: 40164, errmsg: "not for you, b3arer" }, 200, "not for you"],
  ])("say that a source answered with %j and HTTP %i", async (body, status, words) => {
    const { open, id } = await world({}, async () => answer(body, status));
    const reply = await open().get(supplied(id, { url: `${SOURCE}&${id}`, bearer: "b3arer" }));
    if (reply.kind !== "refused") throw new Error("not refused");
    expect(reply.refusal).toMatchObject({ class: "token_source", errcode: null, ip: null });
    expect(reply.refusal.errmsg).toContain("The token source https://tokens.test gave no token");
    expect(reply.refusal.errmsg).toContain(words);
    expect(JSON.stringify(reply)).not.toMatch(/b3arer|in-the-address/);
  });

  /** A third-party platform's half of the platform: refresh tokens are good once. */
  function componentPlatform() {
    const state = { refresh: "refresh-0", component: "", serial: 0, ticket: "ticket-1" };
    const fetch: PlatformFetch = async (address, { body }) => {
      const url = new URL(address);
      const json = JSON.parse(new TextDecoder().decode(body)) as Record<string, string>;
      state.serial += 1;
      if (url.pathname.endsWith("api_component_token")) {
        if (json.component_verify_ticket !== state.ticket)
          return answer({ errcode: 61006, errmsg: "component ticket is invalid" });
        if (json.component_appsecret !== "c-secret")
          return answer({ errcode: 40125, errmsg: "invalid appsecret" });
        state.component = `component-${state.serial}`;
        return answer({ component_access_token: state.component, expires_in: 7_200 });
      }
      if (url.searchParams.get("access_token") !== state.component)
        return answer({ errcode: 40001, errmsg: "invalid credential" });
      if (json.authorizer_refresh_token !== state.refresh)
        return answer({ errcode: 61023, errmsg: "refresh_token is invalid" });
      state.refresh = `refresh-${state.serial}`;
      return answer({
        authorizer_access_token: `authorizer-${state.serial}`,
        expires_in: 7_200,
        authorizer_refresh_token: state.refresh,
      });
    };
    return { state, fetch };
  }

  async function componentWorld() {
    const platform = componentPlatform();
    const componentAppid = newId("wxc");
    const sealedComponentSecret = VAULT.seal("c-secret");
    const access = { credential: "component", componentAppid, sealedComponentSecret } as const;
    const made = await world(access, platform.fetch);
    const holder: TokenHolder = {
      ...{ box: newId("box"), platformUrl: STUB_URL, appid: "wx1" },
      credential: {
        ...{ kind: "component", publicAccountId: made.id, componentAppid },
        componentSecret: "c-secret",
      },
    };
    const { grants } = drafts.store;
    await grants.saveTicket(made.accountId, componentAppid, VAULT.seal("ticket-1"), 1);
    await grants.saveRefresh(made.id, VAULT.seal("refresh-0"));
    const paths = () =>
      made.calls.map(({ address }) => new URL(address).pathname.split("_").at(-2));
    return { ...made, ...platform, holder, grants, componentAppid, paths };
  }

  test("of a third party are refreshed once by all, and a new refresh token is kept", async () => {
    const { time, open, holder, grants, id, state, paths } = await componentWorld();
    const [one, two] = [open(), open(other)];
    const replies = await Promise.all([one, two, one, two].map((tokens) => tokens.get(holder)));
    expect(new Set(replies.map((reply) => reply.kind === "ok" && reply.value))).toEqual(
      new Set(["authorizer-2"]),
    );
    expect(paths()).toEqual(["component", "authorizer"]);
    const kept = async () => VAULT.open((await grants.find(id))?.sealedRefresh ?? "");
    expect(await kept()).toBe("refresh-2");
    time.nowMs += 6_000_000;
    // The platform has ended the component's token before its time.
    state.component = "ended";
    time.nowMs += 1_000_000;
    const again = await two.get(holder);
    expect(again.kind).toBe("ok");
    expect(await kept()).toBe(state.refresh);
  });

  test("of a third party leave the turn to others when storage fails, and lose no refresh token", async () => {
    const { time, open, holder, grants, id, state } = await componentWorld();
    let failures = 1;
    const failing = (name: string) =>
      new Proxy(grants, {
        get(target, member: keyof typeof grants) {
          const real = target[member] as (...args: unknown[]) => Promise<unknown>;
          return async (...args: unknown[]) => {
            if (member === name && failures-- > 0) throw new StorageError("away for a moment");
            return real.apply(target, args);
          };
        },
      });
    const startedMs = time.nowMs;
    const broken = open({ ...drafts.store, grants: failing("find") });
    expect(await failureOf(broken.get(holder))).toBeInstanceOf(StorageError);
    failures = 2;
    const blinking = open({ ...drafts.store, grants: failing("saveRefresh") });
    expect((await blinking.get(holder)).kind).toBe("ok");
    expect(time.nowMs).toBe(startedMs);
    expect(VAULT.open((await grants.find(id))?.sealedRefresh ?? "")).toBe(state.refresh);
  });

  test("of a third party use no refresh token once their turn is somebody else's", async () => {
    const { time, calls, open, holder, fetch, state } = await componentWorld();
    const slow = open(drafts.store, async (address, call) => {
      const reply = await fetch(address, call);
      // The component's token takes so long that all others count this process as dead.
      if (address.includes("api_component_token")) {
        time.nowMs += 200_000;
        expect((await open(other).get(holder)).kind).toBe("ok");
      }
      return reply;
    });
    const late = await slow.get(holder);
    expect(late).toMatchObject({ kind: "unknown", sent: false });
    const refreshes = calls.filter(({ address }) => address.includes("api_authorizer_token"));
    expect(refreshes).toHaveLength(1);
    expect((await slow.get(holder)).kind).toBe("ok");
    expect(state.serial).toBe(3);
  });

  test("of a third party are had by the newest ticket that its component was handed", async () => {
    const { time, open, holder, grants, accountId, componentAppid } = await componentWorld();
    const addSecond = async (owner: string) => {
      const id = newId("pub_");
      const access = { ...NO_ACCESS, credential: "component", componentAppid } as const;
      await drafts.store.publicAccounts.add({
        ...{ id, name: id, accountId: owner, kind: "wechat", appid: "wx1", sealedSecret: "" },
        ...{ platformUrl: STUB_URL, isDefault: false, theme: null, author: null },
        ...{ publishAllowed: false, createdAtMs: time.nowMs, access },
      });
      await grants.saveRefresh(id, VAULT.seal("refresh-0"));
      const credential = { ...holder.credential, publicAccountId: id };
      return { ...holder, box: newId("box"), credential };
    };
    // What somebody else was handed is not his.
    const stranger = await open().get(await addSecond(newId("acc_")));
    expect(stranger).toMatchObject({ kind: "refused", refusal: { class: "token_source" } });
    await grants.saveTicket(accountId, componentAppid, VAULT.seal("old"), 5);
    const second = await addSecond(accountId);
    await grants.saveTicket(accountId, componentAppid, VAULT.seal("ticket-1"), 6);
    const third = await addSecond(accountId);
    for (const { credential } of [second, third]) {
      expect(await grants.find(credential.publicAccountId)).toMatchObject({ ticketAtMs: 6 });
    }
    expect((await open().get(third)).kind).toBe("ok");
  });

  test("of a third party whose own token was ended are had by a new one of those", async () => {
    const { open, holder, state, paths } = await componentWorld();
    const tokens = open();
    const first = await tokens.get(holder);
    if (first.kind !== "ok") throw new Error("no token");
    await tokens.drop(holder, first.value);
    state.component = "ended by somebody";
    expect((await tokens.get(holder)).kind).toBe("ok");
    const anew = ["authorizer", "component", "authorizer"];
    expect(paths()).toEqual(["component", "authorizer", ...anew]);
  });

  test("of a third party say which part is missing or wrong", async () => {
    const { open, holder, grants, id, accountId, componentAppid, state } = await componentWorld();
    await grants.saveTicket(accountId, componentAppid, VAULT.seal("old"), 2);
    const wrong = await open().get(holder);
    expect(wrong).toMatchObject({ kind: "refused", refusal: { errcode: 61006, class: "config" } });
    await grants.saveTicket("acc_other", componentAppid, VAULT.seal(state.ticket), 3);
    expect((await open().get(holder)).kind).toBe("refused");
    await grants.saveTicket(accountId, componentAppid, VAULT.seal(state.ticket), 3);
    await grants.saveRefresh(id, VAULT.seal("used up"));
    const spent = await open().get(holder);
    expect(spent).toMatchObject({ kind: "refused", refusal: { errcode: 61023 } });
    const unknown = { ...holder.credential, publicAccountId: "pub_none" };
    const bare = await open().get({ ...holder, box: newId("box"), credential: unknown });
    if (bare.kind !== "refused") throw new Error("not refused");
    expect(bare.refusal.errmsg).toContain("component_verify_ticket");
  });
});
