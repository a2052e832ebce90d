import { describe, expect, test } from "bun:test";
import { draftStores } from "../../test/support/draft-house.ts";
import { faultOf } from "../../test/support/errors.ts";
import { perSuite } from "../../test/support/house.ts";
import { VAULT } from "../../test/support/vault.ts";
import { newId } from "../lib/ids.ts";
import { PublicAccounts } from "./public-accounts.ts";

const WECHAT = "https://api.weixin.qq.com";
const drafts = perSuite(draftStores);

function open(options: { readonly platformUrl?: string; readonly sandbox?: boolean } = {}) {
  return new PublicAccounts({
    store: drafts.store.publicAccounts,
    vault: VAULT,
    clock: () => 1,
    platformUrl: options.platformUrl,
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

  test("are found by id or name, and the default where nothing is said", async () => {
    const accounts = open();
    const id = newId("acc_");
    await accounts.list(id);
    const form = { name: "日报", appid: "wx9", secret: "x", platformUrl: `${WECHAT}/` };
    const added = await accounts.add(id, form);
    expect(added).toMatchObject({ kind: "wechat", platformUrl: WECHAT, isDefault: false });
    expect((await accounts.find(id, "日报")).id).toBe(added.id);
    expect((await accounts.find(id, undefined)).name).toBe("sandbox");
    await accounts.change(id, added.id, { isDefault: true, author: "她" });
    expect(await accounts.find(id, undefined)).toMatchObject({ id: added.id, author: "她" });
    await accounts.remove(id, added.id);
    expect((await accounts.find(id, undefined)).name).toBe("sandbox");
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
