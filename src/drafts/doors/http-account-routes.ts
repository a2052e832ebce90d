import type { Route } from "../../lib/route.ts";
import type { PublicAccount } from "../draft.ts";
import { checkAccountKey } from "./key-client.ts";
import { keyRoutes, readCall, unknownVerb } from "./key-routes.ts";
import { newPublicAccountForm, publicAccountChangeForm } from "./public-account-form.ts";
import { readForm } from "./read-form.ts";
import type { DoorServices } from "./services.ts";
import { showDiagnosis, showPublicAccount } from "./wire.ts";

const PATH = "/v1/wechat/accounts";

/** The public accounts that drafts go to; one is named by its id or its name. */
export function wechatAccountRoutes(services: DoorServices): readonly Route[] {
  const { box, limits } = services;
  const { publicAccounts } = box;
  const show = (account: PublicAccount) => showPublicAccount(account, services.publishOn);
  const route = keyRoutes(services);
  const bytesMax = limits.draft_body_bytes_max;
  const idOf = async (accountId: string, name = "") =>
    (await publicAccounts.find(accountId, name)).id;
  return [
    route("GET", PATH, async ({ accountId }) => ({
      object: "list",
      data: (await publicAccounts.list(accountId)).map(show),
      next: null,
    })),
    route("POST", PATH, async (client, { request }) => {
      checkAccountKey(client);
      const form = await readForm(request, newPublicAccountForm, bytesMax);
      return show(await publicAccounts.add(client.accountId, form));
    }),
    route("GET", `${PATH}/:call`, async ({ accountId }, { params }) =>
      show(await publicAccounts.find(accountId, params.call)),
    ),
    route("PATCH", `${PATH}/:call`, async (client, { request, params }) => {
      checkAccountKey(client);
      const { accountId } = client;
      const change = await readForm(request, publicAccountChangeForm, bytesMax);
      const id = await idOf(accountId, params.call);
      return show(await publicAccounts.change(accountId, id, change));
    }),
    route("DELETE", `${PATH}/:call`, async (client, { params }) => {
      checkAccountKey(client);
      const id = await idOf(client.accountId, params.call);
      await publicAccounts.remove(client.accountId, id);
      return { object: "public_account", id, deleted: true };
    }),
    route("POST", `${PATH}/:call`, async ({ accountId }, incoming) => {
      const { id, verb } = readCall(incoming.params.call ?? "");
      if (verb !== "doctor") throw unknownVerb(["doctor"]);
      incoming.keepOpen();
      // Without a name in front, the default one is looked at.
      return showDiagnosis(await box.doctor(accountId, id === "" ? undefined : id));
    }),
  ];
}
