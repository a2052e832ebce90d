import { expect, test } from "bun:test";
import type { AccountCall, Guards } from "../../../accounts/guards.ts";
import type { Operation } from "../../../lib/contract.ts";
import type { Route } from "../../../lib/route.ts";
import type { PublicAccount } from "../../draft.ts";
import type { ConsoleDoorServices } from "../services.ts";
import { publicAccountRoutes } from "./public-accounts.ts";

const ACCOUNT: PublicAccount = {
  ...{ id: "pub_1", accountId: "acc_1", name: "mine", kind: "wechat", appid: "wx1" },
  ...{ sealedSecret: "", platformUrl: "https://p.test", isDefault: true, theme: null },
  ...{ author: null, publishAllowed: false, createdAtMs: 1 },
};

type Handle = (call: AccountCall) => Promise<Response>;

/** What the audit log is told when this is posted to, or changed in, the console. */
async function noted(method: "POST" | "PATCH", body: object): Promise<unknown> {
  let detail: unknown;
  const publicAccounts = {
    add: async () => ACCOUNT,
    change: async () => ACCOUNT,
    find: async () => ACCOUNT,
  };
  const services = {
    ...{ draftService: { publicAccounts }, publishOn: false },
    limits: { draft_body_bytes_max: 10_000, upload_ms: 60_000 },
    audit: {
      write: async (entry: { readonly detail: unknown }) => {
        detail = entry.detail;
      },
    },
  } as unknown as ConsoleDoorServices;
  const handles = new Map<string, Handle>();
  const account = ({ method: verb, path }: Operation, _role: string, handle: Handle) => {
    handles.set(`${verb} ${path.replace("/api/accounts/:account", "")}`, handle);
    return {} as Route;
  };
  publicAccountRoutes(services, { account } as unknown as Guards);
  const path = method === "POST" ? "/public-accounts" : "/public-accounts/:id";
  const headers = { "content-type": "application/json" };
  const request = new Request("http://c.test/", { method, headers, body: JSON.stringify(body) });
  const call = {
    accountId: "acc_1",
    principal: {},
    incoming: { request, params: { id: "pub_1" } },
    judgeAgain: async () => {},
  };
  await handles.get(`${method} ${path}`)?.(call as unknown as AccountCall);
  return detail;
}

test("the audit log has every member that was set, and no value", async () => {
  const proxy_url = "http://me:pw@out.test:3128";
  const form = { name: "mine", appid: "wx1", token_url: "https://t.test/x", proxy_url };
  expect(await noted("POST", form)).toEqual({ fields: ["name", "appid", "proxyUrl", "supplied"] });
  expect(await noted("PATCH", { proxy_url: null })).toEqual({ fields: ["proxyUrl"] });
});
