import type { AccountCall, AccountCallOf, Guards } from "../accounts/guards.ts";
import { Fault } from "../lib/faults.ts";
import { shownList } from "../lib/listing.ts";
import type { Route } from "../lib/route.ts";
import { LIST_MODELS } from "./contract/models.ts";
import { SHOW_OVERVIEW } from "./contract/overview.ts";
import { LIST_ENTRIES } from "./contract/statement.ts";
import { modelToJson } from "./model-json.ts";
import { wrongParameter } from "./query.ts";
import { requestToJson } from "./request-routes.ts";
import type { ConsoleServices } from "./services.ts";
import { Calendar } from "./usage/calendar.ts";
import { overviewOf } from "./usage/overview.ts";
import {
  NEWEST_PLACE,
  placeToText,
  readPlace,
  statementLineToJson,
  statementPage,
} from "./usage/statement.ts";

const LAST_REQUESTS = 5;

function noAccount(): Fault {
  return new Fault("not_found", "There is no such account.");
}

async function showOverview(
  { store, clock, personalKeys }: ConsoleServices,
  { accountId, principal, query }: AccountCallOf<typeof SHOW_OVERVIEW>,
) {
  const calendar = new Calendar(query().tz);
  const personal = await personalKeys.idsIn(accountId);
  const [overview, last] = await Promise.all([
    overviewOf(store, accountId, calendar, clock(), personal),
    store.listRequests({ accountId, limit: LAST_REQUESTS }),
  ]);
  if (!overview) throw noAccount();
  const last_requests = last.rows.map((row) => requestToJson(row, principal.operator));
  return { ...overview, last_requests };
}

async function listEntries(
  { store, clock }: ConsoleServices,
  call: AccountCallOf<typeof LIST_ENTRIES>,
) {
  const { after, limit } = call.query();
  const nowMs = clock();
  const reservation = after === undefined ? NEWEST_PLACE : readPlace(after);
  if (!reservation) throw wrongParameter("after", "'after' must be the 'next' of the page before.");
  const page = await statementPage(store, call.accountId, reservation, limit);
  if (!page) throw noAccount();
  const lines = page.lines.map((line) => statementLineToJson(line, nowMs));
  return shownList(lines, page.next && placeToText(page.next));
}

async function listModels({ models, clock }: ConsoleServices, { principal }: AccountCall) {
  const nowMs = clock();
  return shownList((await models()).map((model) => modelToJson(model, nowMs, principal.operator)));
}

export function accountRoutes(services: ConsoleServices, guards: Guards): readonly Route[] {
  return [
    guards.account(SHOW_OVERVIEW, "viewer", (call) => showOverview(services, call)),
    guards.account(LIST_ENTRIES, "viewer", (call) => listEntries(services, call)),
    guards.account(LIST_MODELS, "viewer", (call) => listModels(services, call)),
  ];
}
