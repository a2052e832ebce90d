import type { PresentedKey } from "../../accounts/account.ts";
import type { Route } from "../../lib/route.ts";
import type { PublicAccount } from "../draft.ts";
import { suppliedTokenForm, ticketForm } from "./access-form.ts";
import { checkAccountKey } from "./key-client.ts";
import { keyRoutes, readCall, unknownVerb } from "./key-routes.ts";
import { newPublicAccountForm, publicAccountChangeForm } from "./public-account-form.ts";
import { readForm } from "./read-form.ts";
import type { DoorServices } from "./services.ts";
import { setFields } from "./set-fields.ts";
import { showDiagnosis, showPublicAccount } from "./wire.ts";

const PATH = "/v1/wechat/accounts";

/** Writes to the audit log what was done with which key, and to which members; never their values. */
function noteOf({ rights, audit }: DoorServices) {
  return async (key: PresentedKey, action: string, target: string, form: object = {}) => {
    const principal = await rights.principalOf(key);
    const detail = { key: key.id, fields: setFields(form) };
    await audit.write({ principal, accountId: key.accountId, action, target, detail });
  };
}

/** What whoever keeps a public account's token hands over, now and then. */
function supplyRoutes(services: DoorServices): readonly Route[] {
  const { publicAccounts } = services.box;
  const bytesMax = services.limits.draft_body_bytes_max;
  const show = (account: PublicAccount) => showPublicAccount(account, services.publishOn);
  const note = noteOf(services);
  const route = keyRoutes(services);
  const idOf = async (accountId: string, name = "") =>
    (await publicAccounts.find(accountId, name)).id;
  return [
    route("PUT", `${PATH}/:call/token`, "owner", async (client, { request, params }) => {
      checkAccountKey(client);
      const form = await readForm(request, suppliedTokenForm, bytesMax);
      const token = { token: form.access_token, expiresInS: form.expires_in };
      const id = await idOf(client.accountId, params.call);
      const account = await publicAccounts.supplyToken(client.accountId, id, token);
      await note(client.key, "public_account.token", id);
      return show(account);
    }),
    route("PUT", `${PATH}/:call/ticket`, "owner", async (client, { request, params }) => {
      checkAccountKey(client);
      const { component_verify_ticket: ticket } = await readForm(request, ticketForm, bytesMax);
      const id = await idOf(client.accountId, params.call);
      const account = await publicAccounts.supplyTicket(client.accountId, id, ticket);
      await note(client.key, "public_account.ticket", id);
      return show(account);
    }),
  ];
}

/** The public accounts that drafts go to; one is named by its id or its name. */
export function wechatAccountRoutes(services: DoorServices): readonly Route[] {
  const { box, limits } = services;
  const { publicAccounts } = box;
  const show = (account: PublicAccount) => showPublicAccount(account, services.publishOn);
  const route = keyRoutes(services);
  const bytesMax = limits.draft_body_bytes_max;
  const note = noteOf(services);
  const idOf = async (accountId: string, name = "") =>
    (await publicAccounts.find(accountId, name)).id;
  return [
    ...supplyRoutes(services),
    route("GET", PATH, "viewer", async ({ accountId }) => ({
      object: "list",
      data: (await publicAccounts.list(accountId)).map(show),
      next: null,
    })),
    route("POST", PATH, "owner", async (client, { request }) => {
      checkAccountKey(client);
      const form = await readForm(request, newPublicAccountForm, bytesMax);
      const account = await publicAccounts.add(client.accountId, form);
      await note(client.key, "public_account.create", account.id, form);
      return show(account);
    }),
    route("GET", `${PATH}/:call`, "viewer", async ({ accountId }, { params }) =>
      show(await publicAccounts.find(accountId, params.call)),
    ),
    route("PATCH", `${PATH}/:call`, "owner", async (client, { request, params }) => {
      checkAccountKey(client);
      const { accountId } = client;
      const change = await readForm(request, publicAccountChangeForm, bytesMax);
      const id = await idOf(accountId, params.call);
      const account = await publicAccounts.change(accountId, id, change);
      await note(client.key, "public_account.change", id, change);
      return show(account);
    }),
    route("DELETE", `${PATH}/:call`, "owner", async (client, { params }) => {
      checkAccountKey(client);
      const id = await idOf(client.accountId, params.call);
      await publicAccounts.remove(client.accountId, id);
      await note(client.key, "public_account.delete", id);
      return { object: "public_account", id, deleted: true };
    }),
    route("POST", `${PATH}/:call`, "member", async ({ accountId }, incoming) => {
      const { id, verb } = readCall(incoming.params.call ?? "");
      if (verb !== "doctor") throw unknownVerb(["doctor"]);
      incoming.keepOpen();
      // Without a name in front, the default one is looked at.
      return showDiagnosis(await box.doctor(accountId, id === "" ? undefined : id));
    }),
  ];
}
