import { describe, expect, test } from "bun:test";
import { faultOf } from "../../test/support/errors.ts";
import { draftStores } from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { VAULT } from "../../test/support/vault.ts";
import { newId } from "../lib/ids.ts";
import { createVault, openedBy, type Vault } from "../lib/secrets/vault.ts";
import { openSource } from "./platform-api/credential.ts";
import { PublicAccounts } from "./public-accounts.ts";

const WECHAT = "https://api.weixin.qq.com";
const AFTER = createVault("the one after that, which opens nothing of before");
const drafts = perSuite(draftStores);

interface Opened {
  readonly platformUrl?: string | null;
  readonly sandbox?: boolean;
  readonly vault?: Vault;
}

function open(options: Opened = {}) {
  return new PublicAccounts({
    store: drafts.store.publicAccounts,
    grants: drafts.store.grants,
    vault: options.vault ?? VAULT,
    clock: () => 1,
    platformUrl: options.platformUrl === undefined ? WECHAT : options.platformUrl,
    openSandbox:
      options.sandbox === false
        ? undefined
        : async (accountId) => ({ appid: `wx-${accountId}`, secret: "s3cret" }),
  });
}

describe("public accounts", () => {
  test("begin with the sandbox, once, even for two who ask at once", async () => {
    const accounts = open();
    const id = newId("acc_");
    await Promise.all([accounts.list(id), accounts.list(id), accounts.find(id, undefined)]);
    const all = await accounts.list(id);
    expect(all).toMatchObject([
      { name: "sandbox", kind: "built-in", appid: `wx-${id}`, platformUrl: null, isDefault: true },
    ]);
    expect(all[0]?.sealedSecret).not.toContain("s3cret");
    expect(VAULT.open(all[0]?.sealedSecret ?? "")).toBe("s3cret");
  });

  test("of the built-in platform have its secret again where theirs cannot be opened any more", async () => {
    const id = newId("acc_");
    await open().list(id);
    const [own, other] = [
      { name: "own", appid: "wx-other", secret: "x", platformUrl: null },
      { name: "real", appid: `wx-${id}`, secret: "y" },
    ];
    for (const form of [own, other]) await open().add(id, form);
    const readable = async () =>
      (await drafts.store.publicAccounts.list(id)).map(({ name, sealedSecret }) => [
        name,
        openedBy(AFTER, sealedSecret),
      ]);
    await open({ vault: AFTER }).find(id, "sandbox");
    const kept = Object.fromEntries(await readable());
    expect(kept).toEqual({ sandbox: "s3cret", own: undefined, real: undefined });
  });

  test("are told another address of their token where the one of before cannot be opened any more", async () => {
    const id = newId("acc_");
    const supplied = { url: "https://tokens.test/a", bearer: "b" };
    const { id: own } = await open().add(id, { name: "far", appid: "wx1", supplied });
    const change = { tokenUrl: "https://tokens.test/b" };
    const changed = await open({ vault: AFTER }).change(id, own, change);
    expect(openSource(changed.access?.sealedSource ?? "", AFTER)).toEqual({
      url: change.tokenUrl,
      bearer: null,
    });
  });

  test("are found by id or name, and the default where nothing is said", async () => {
    const accounts = open();
    const id = newId("acc_");
    await accounts.list(id);
    const form = { name: "日报", appid: "wx9", secret: "x", platformUrl: `${WECHAT}/` };
    const added = await accounts.add(id, form);
    expect(added).toMatchObject({ kind: "wechat", platformUrl: WECHAT, isDefault: true });
    expect((await accounts.find(id, "日报")).id).toBe(added.id);
    const sandbox = await accounts.find(id, "sandbox");
    await accounts.change(id, sandbox.id, { isDefault: true, author: "她" });
    expect(await accounts.find(id, undefined)).toMatchObject({ id: sandbox.id, author: "她" });
    await accounts.change(id, added.id, { isDefault: true });
    await accounts.remove(id, added.id);
    expect((await accounts.find(id, undefined)).name).toBe("sandbox");
  });

  test("of the built-in platform have no proxy, however it came to be theirs", async () => {
    const proxyUrl = "http://me:pw@out.test:3128";
    const accounts = open({ platformUrl: null });
    const id = newId("acc_");
    const [sandbox] = await accounts.list(id);
    const own = { name: "own", appid: "wx1", secret: "x", proxyUrl };
    for (const refused of [
      () => accounts.change(id, sandbox?.id ?? "", { proxyUrl }),
      () => accounts.add(id, own),
      () => accounts.add(id, { ...own, platformUrl: null }),
    ]) {
      const fault = await faultOf(refused());
      expect([fault.fault, fault.param]).toEqual(["invalid_value", "proxy_url"]);
      expect(fault.message).toContain("called directly");
    }
    expect(await accounts.list(id)).toHaveLength(1);
    await accounts.change(id, sandbox?.id ?? "", { proxyUrl: null });
    const real = await accounts.add(id, { ...own, platformUrl: WECHAT });
    expect(real.access?.proxyOrigin).toBe("http://out.test:3128");
  });

  test("that are real become the default, unless told otherwise", async () => {
    const accounts = open();
    const id = newId("acc_");
    await accounts.list(id);
    const kept = { name: "later", appid: "wx1", secret: "x", isDefault: false };
    expect(await accounts.add(id, kept)).toMatchObject({ isDefault: false });
    expect((await accounts.find(id, undefined)).name).toBe("sandbox");
    const first = await accounts.add(id, { name: "first", appid: "wx2", secret: "x" });
    expect((await accounts.find(id, undefined)).name).toBe("first");
    // One on the built-in platform is for trying; it takes nobody's place.
    const tried = { name: "tried", appid: "wx3", secret: "x", platformUrl: null };
    expect(await accounts.add(id, tried)).toMatchObject({ kind: "built-in", isDefault: false });
    await accounts.remove(id, first.id);
    expect((await accounts.find(id, undefined)).name).toBe("later");
  });

  test("of the built-in platform know which real one there is beside them", async () => {
    const accounts = open();
    const id = newId("acc_");
    expect((await accounts.find(id, undefined)).realBeside).toBeUndefined();
    await accounts.add(id, { name: "real", appid: "wx1", secret: "x", isDefault: false });
    expect((await accounts.find(id, undefined)).realBeside).toBe("real");
    expect((await accounts.find(id, "real")).realBeside).toBeUndefined();
  });

  test("that name no place are on the real platform, or where the installation says", async () => {
    const form = { name: "a", appid: "wx", secret: "x" };
    const places = [
      [WECHAT, form, WECHAT],
      ["https://relay.test", form, "https://relay.test"],
      [null, form, null],
      [null, { ...form, platformUrl: `${WECHAT}/` }, WECHAT],
      [WECHAT, { ...form, platformUrl: null }, null],
    ] as const;
    for (const [platformUrl, body, place] of places) {
      const added = await open({ platformUrl }).add(newId("acc_"), body);
      expect(added).toMatchObject({ platformUrl: place, kind: place ? "wechat" : "built-in" });
    }
  });

  test("stay as each of two has said who change them at once", async () => {
    const accounts = open();
    const id = newId("acc_");
    const form = { name: "at once", appid: "wx1", secret: "old", publishAllowed: true };
    const { id: added } = await accounts.add(id, form);
    await Promise.all([
      accounts.change(id, added, { publishAllowed: false }),
      accounts.change(id, added, { name: "another", author: "她" }),
      accounts.change(id, added, { secret: "new" }),
    ]);
    const { sealedSecret, ...changed } = await accounts.find(id, added);
    expect(changed).toMatchObject({ publishAllowed: false, name: "another", author: "她" });
    expect(VAULT.open(sealedSecret)).toBe("new");
  });

  test("go where the installation says, and keep a secret that is not changed", async () => {
    const accounts = open({ platformUrl: WECHAT, sandbox: false });
    const id = newId("acc_");
    const none = await faultOf(accounts.find(id, undefined));
    expect(none.message).toContain("no public account yet");
    const added = await accounts.add(id, { name: "a", appid: "wx", secret: "old" });
    expect(added).toMatchObject({ kind: "wechat", platformUrl: WECHAT, isDefault: true });
    const renamed = await accounts.change(id, added.id, { name: "b" });
    expect(VAULT.open(renamed.sealedSecret)).toBe("old");
    const changed = await accounts.change(id, added.id, { secret: "new" });
    expect(VAULT.open(changed.sealedSecret)).toBe("new");
  });

  test("refuse a name that is taken, and what is somebody else's", async () => {
    const accounts = open();
    const id = newId("acc_");
    const [sandbox] = await accounts.list(id);
    const form = { name: "sandbox", appid: "wx", secret: "x" };
    expect((await faultOf(accounts.add(id, form))).param).toBe("name");
    const other = newId("acc_");
    const theirs = sandbox?.id ?? "";
    for (const work of [
      () => accounts.change(other, theirs, { name: "x" }),
      () => accounts.remove(other, theirs),
      () => accounts.find(other, theirs),
    ]) {
      expect((await faultOf(work())).fault).toBe("not_found");
    }
  });
});
