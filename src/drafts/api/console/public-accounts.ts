import type { AccountCall, Guards } from "../../../accounts/guards.ts";
import type { Route } from "../../../lib/route.ts";
import { IN_CONSOLE } from "../../contract/public-account.ts";
import type { PublicAccount } from "../../draft.ts";
import { accountRoutes } from "../sent.ts";
import type { ConsoleDoorServices } from "../services.ts";
import { showDiagnosis, showPublicAccount } from "../show.ts";
import { accountWork } from "../work/account-work.ts";
import { doerOf } from "./doer.ts";

/** Where people see what lies in the box of the built-in platform. */
function materialPath({ appid }: PublicAccount): string {
  return `/platform/material?account=${encodeURIComponent(appid)}`;
}

/** Public accounts in the console: their owner's, since whoever sets one can publish in its name. */
export function publicAccountRoutes(
  services: ConsoleDoorServices,
  guards: Guards,
): readonly Route[] {
  const { draftService, publishOn, materialOn } = services;
  const route = accountRoutes(services, guards);
  const work = accountWork({
    draftService,
    show: (account) => ({
      ...showPublicAccount(account, publishOn),
      material_path: materialOn && account.kind === "built-in" ? materialPath(account) : null,
    }),
    note: (call: AccountCall, action, target, fields) =>
      doerOf(services, call).note(action, target, { fields }),
  });
  return [
    route(IN_CONSOLE.list, "viewer", work.list),
    route(IN_CONSOLE.add, "owner", work.add),
    route(IN_CONSOLE.show, "viewer", work.show),
    route(IN_CONSOLE.change, "owner", work.change),
    route(IN_CONSOLE.remove, "owner", work.remove),
    route(IN_CONSOLE.examine, "member", async (call) => {
      const { id } = await work.find(call);
      call.incoming.keepOpen();
      return showDiagnosis(await draftService.doctor(call.accountId, id));
    }),
  ];
}
