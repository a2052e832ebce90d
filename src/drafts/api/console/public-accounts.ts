import type { AccountCall, Guards } from "../../../accounts/guards.ts";
import type { Route } from "../../../lib/route.ts";
import {
  ADD_PUBLIC_ACCOUNT,
  CHANGE_PUBLIC_ACCOUNT,
  EXAMINE_PUBLIC_ACCOUNT,
  LIST_PUBLIC_ACCOUNTS,
  REMOVE_PUBLIC_ACCOUNT,
  SHOW_PUBLIC_ACCOUNT,
} from "../../contract/public-account.ts";
import type { PublicAccount } from "../../draft.ts";
import { accountRoutes } from "../sent.ts";
import { setFields } from "../set-fields.ts";
import { showDeleted, showDiagnosis, showList, showPublicAccount } from "../show.ts";
import type { ConsoleDoorServices } from "./services.ts";

/** Where people see what lies in the box of the built-in platform. */
function materialPath({ appid }: PublicAccount): string {
  return `/platform/material?account=${encodeURIComponent(appid)}`;
}

/** Public accounts in the console: their owner's, since whoever sets one can publish in its name. */
export function publicAccountRoutes(
  services: ConsoleDoorServices,
  guards: Guards,
): readonly Route[] {
  const { box, audit, publishOn, materialOn } = services;
  const { publicAccounts } = box;
  const route = accountRoutes(services, guards);
  const show = (account: PublicAccount) => ({
    ...showPublicAccount(account, publishOn),
    material_path: materialOn && account.kind === "built-in" ? materialPath(account) : null,
  });
  const find = async ({ accountId, incoming }: AccountCall) =>
    publicAccounts.find(accountId, incoming.params.id ?? "");
  const note = (call: AccountCall, action: string, target: string, form: object = {}) =>
    audit.write({
      principal: call.principal,
      accountId: call.accountId,
      ...{ action, target, detail: { fields: setFields(form) } },
    });
  return [
    route(LIST_PUBLIC_ACCOUNTS, "viewer", async ({ accountId }) =>
      showList((await publicAccounts.list(accountId)).map(show)),
    ),
    route(ADD_PUBLIC_ACCOUNT, "owner", async (call) => {
      const form = await call.body();
      const account = await publicAccounts.add(call.accountId, form);
      await note(call, "public_account.create", account.id, form);
      return show(account);
    }),
    route(SHOW_PUBLIC_ACCOUNT, "viewer", async (call) => show(await find(call))),
    route(CHANGE_PUBLIC_ACCOUNT, "owner", async (call) => {
      const change = await call.body();
      const { id } = await find(call);
      const account = await publicAccounts.change(call.accountId, id, change);
      await note(call, "public_account.change", id, change);
      return show(account);
    }),
    route(REMOVE_PUBLIC_ACCOUNT, "owner", async (call) => {
      const { id } = await find(call);
      await publicAccounts.remove(call.accountId, id);
      await note(call, "public_account.delete", id);
      return showDeleted("public_account", id);
    }),
    route(EXAMINE_PUBLIC_ACCOUNT, "member", async (call) => {
      const { id } = await find(call);
      call.incoming.keepOpen();
      return showDiagnosis(await box.doctor(call.accountId, id));
    }),
  ];
}
