import type { PresentedKey } from "../../accounts/account.ts";
import type { Route } from "../../lib/route.ts";
import {
  ADD_ACCOUNT_BY_KEY,
  CHANGE_ACCOUNT_BY_KEY,
  EXAMINE_ACCOUNT_BY_KEY,
  LIST_ACCOUNTS_BY_KEY,
  REMOVE_ACCOUNT_BY_KEY,
  SHOW_ACCOUNT_BY_KEY,
  SUPPLY_TICKET,
  SUPPLY_TOKEN,
} from "../contract/public-account.ts";
import type { PublicAccount } from "../draft.ts";
import { checkAccountKey } from "./key-client.ts";
import { idBefore, type KeyCall, keyRoutes, verbRoute } from "./key-routes.ts";
import type { DoorServices } from "./services.ts";
import { setFields } from "./set-fields.ts";
import { showDeleted, showDiagnosis, showList, showPublicAccount } from "./show.ts";

/** Writes to the audit log what was done with which key, and to which members; never their values. */
function noteOf({ rights, audit }: DoorServices) {
  return async (key: PresentedKey, action: string, target: string, form: object = {}) => {
    const principal = await rights.principalOf(key);
    const detail = { key: key.id, fields: setFields(form) };
    await audit.write({ principal, accountId: key.accountId, action, target, detail });
  };
}

/** What every route here works with. */
function ground(services: DoorServices) {
  const { publicAccounts } = services.box;
  return {
    publicAccounts,
    note: noteOf(services),
    route: keyRoutes(services),
    show: (account: PublicAccount) => showPublicAccount(account, services.publishOn),
    find: ({ accountId, incoming }: KeyCall) =>
      publicAccounts.find(accountId, incoming.params.id ?? ""),
  };
}

/** What whoever keeps a public account's token hands over, now and then. */
function supplyRoutes(services: DoorServices): readonly Route[] {
  const { publicAccounts, note, route, show, find } = ground(services);
  return [
    route(SUPPLY_TOKEN, "owner", async (call) => {
      checkAccountKey(call);
      const form = await call.body();
      const token = { token: form.access_token, expiresInS: form.expires_in };
      const { id } = await find(call);
      const account = await publicAccounts.supplyToken(call.accountId, id, token);
      await note(call.key, "public_account.token", id);
      return show(account);
    }),
    route(SUPPLY_TICKET, "owner", async (call) => {
      checkAccountKey(call);
      const { component_verify_ticket: ticket } = await call.body();
      const { id } = await find(call);
      const account = await publicAccounts.supplyTicket(call.accountId, id, ticket);
      await note(call.key, "public_account.ticket", id);
      return show(account);
    }),
  ];
}

/** The public accounts that drafts go to; one is named by its id or its name. */
export function wechatAccountRoutes(services: DoorServices): readonly Route[] {
  const { publicAccounts, note, route, show, find } = ground(services);
  return [
    ...supplyRoutes(services),
    route(LIST_ACCOUNTS_BY_KEY, "viewer", async ({ accountId }) =>
      showList((await publicAccounts.list(accountId)).map(show)),
    ),
    route(ADD_ACCOUNT_BY_KEY, "owner", async (call) => {
      checkAccountKey(call);
      const form = await call.body();
      const account = await publicAccounts.add(call.accountId, form);
      await note(call.key, "public_account.create", account.id, form);
      return show(account);
    }),
    route(SHOW_ACCOUNT_BY_KEY, "viewer", async (call) => show(await find(call))),
    route(CHANGE_ACCOUNT_BY_KEY, "owner", async (call) => {
      checkAccountKey(call);
      const change = await call.body();
      const { id } = await find(call);
      const account = await publicAccounts.change(call.accountId, id, change);
      await note(call.key, "public_account.change", id, change);
      return show(account);
    }),
    route(REMOVE_ACCOUNT_BY_KEY, "owner", async (call) => {
      checkAccountKey(call);
      const { id } = await find(call);
      await publicAccounts.remove(call.accountId, id);
      await note(call.key, "public_account.delete", id);
      return showDeleted("public_account", id);
    }),
    verbRoute(
      route(EXAMINE_ACCOUNT_BY_KEY, "member", async (call) => {
        const id = idBefore(["doctor"], call);
        call.incoming.keepOpen();
        // Without a name in front, the default one is looked at.
        return showDiagnosis(await services.box.doctor(call.accountId, id || undefined));
      }),
    ),
  ];
}
