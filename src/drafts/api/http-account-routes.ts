import type { Route } from "../../lib/route.ts";
import { BY_KEY, SUPPLY_TICKET, SUPPLY_TOKEN } from "../contract/public-account.ts";
import type { PublicAccount } from "../draft.ts";
import { checkAccountKey } from "./key-client.ts";
import { idBefore, type KeyCall, keyRoutes, verbRoute } from "./key-routes.ts";
import type { DoorServices } from "./services.ts";
import { showDiagnosis, showPublicAccount } from "./show.ts";
import { accountWork } from "./work/account-work.ts";

/** Changes take a key that may see all of the account, which is said before anything is read. */
function checked<Call extends KeyCall, Answer>(work: (call: Call) => Promise<Answer>) {
  return (call: Call): Promise<Answer> => {
    checkAccountKey(call);
    return work(call);
  };
}

/** The public accounts that drafts go to; one is named by its id or its name. */
export function wechatAccountRoutes(services: DoorServices): readonly Route[] {
  const { draftService, publishOn } = services;
  const { publicAccounts } = draftService;
  const route = keyRoutes(services);
  const show = (account: PublicAccount) => showPublicAccount(account, publishOn);
  const work = accountWork({
    ...{ draftService, show },
    note: (call: KeyCall, action, target, fields) => call.note(action, target, { fields }),
  });
  return [
    // What whoever keeps a public account's token hands over, now and then.
    route(
      SUPPLY_TOKEN,
      "owner",
      checked(async (call) => {
        const { access_token: token, expires_in: expiresInS } = await call.body();
        const { id } = await work.find(call);
        const account = await publicAccounts.supplyToken(call.accountId, id, { token, expiresInS });
        await work.note(call, "public_account.token", id);
        return show(account);
      }),
    ),
    route(
      SUPPLY_TICKET,
      "owner",
      checked(async (call) => {
        const { component_verify_ticket: ticket } = await call.body();
        const { id } = await work.find(call);
        const account = await publicAccounts.supplyTicket(call.accountId, id, ticket);
        await work.note(call, "public_account.ticket", id);
        return show(account);
      }),
    ),
    route(BY_KEY.list, "viewer", work.list),
    route(BY_KEY.add, "owner", checked(work.add)),
    route(BY_KEY.show, "viewer", work.show),
    route(BY_KEY.change, "owner", checked(work.change)),
    route(BY_KEY.remove, "owner", checked(work.remove)),
    verbRoute(
      route(BY_KEY.examine, "member", async (call) => {
        const id = idBefore(["doctor"], call);
        call.incoming.keepOpen();
        // Without a name in front, the default one is looked at.
        return showDiagnosis(await draftService.doctor(call.accountId, id || undefined));
      }),
    ),
  ];
}
