import type { AccountCall, Guards } from "../../../accounts/guards.ts";
import type { Route } from "../../../lib/route.ts";
import type { PublicAccount } from "../../draft.ts";
import { newPublicAccountForm, publicAccountChangeForm } from "../public-account-form.ts";
import { readForm } from "../read-form.ts";
import { setFields } from "../set-fields.ts";
import { showDiagnosis, showPublicAccount } from "../wire.ts";
import type { ConsoleDoorServices } from "./services.ts";

const PATH = "/public-accounts";

/** Where people see what lies in the box of the built-in platform. */
function materialPath({ appid }: PublicAccount): string {
  return `/platform/material?account=${encodeURIComponent(appid)}`;
}

/** Public accounts in the console: their owner's, since whoever sets one can publish in its name. */
export function publicAccountRoutes(
  { box, audit, publishOn, materialOn, limits }: ConsoleDoorServices,
  guards: Guards,
): readonly Route[] {
  const { publicAccounts } = box;
  const bytesMax = limits.draft_body_bytes_max;
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
    guards.account("GET", PATH, "viewer", async ({ accountId }) => {
      const data = (await publicAccounts.list(accountId)).map(show);
      return Response.json({ object: "list", data, next: null });
    }),
    guards.account("POST", PATH, "owner", async (call) => {
      const form = await readForm(call.incoming.request, newPublicAccountForm, bytesMax);
      const account = await publicAccounts.add(call.accountId, form);
      await note(call, "public_account.create", account.id, form);
      return Response.json(show(account), { status: 201 });
    }),
    guards.account("GET", `${PATH}/:id`, "viewer", async (call) =>
      Response.json(show(await find(call))),
    ),
    guards.account("PATCH", `${PATH}/:id`, "owner", async (call) => {
      const change = await readForm(call.incoming.request, publicAccountChangeForm, bytesMax);
      const { id } = await find(call);
      const account = await publicAccounts.change(call.accountId, id, change);
      await note(call, "public_account.change", id, change);
      return Response.json(show(account));
    }),
    guards.account("DELETE", `${PATH}/:id`, "owner", async (call) => {
      const { id } = await find(call);
      await publicAccounts.remove(call.accountId, id);
      await note(call, "public_account.delete", id);
      return Response.json({ object: "public_account", id, deleted: true });
    }),
    guards.account("POST", `${PATH}/:id/doctor`, "member", async (call) => {
      const { id } = await find(call);
      call.incoming.keepOpen();
      return Response.json(showDiagnosis(await box.doctor(call.accountId, id)));
    }),
  ];
}
