import type { AccountCallOf, Guards } from "../../accounts/guards.ts";
import type { Route } from "../../lib/route.ts";
import { SAVE_REQUESTS } from "../contract/requests.ts";
import { SAVE_ENTRIES } from "../contract/statement.ts";
import { wrongParameter } from "../query.ts";
import { requestToJson } from "../request-routes.ts";
import type { ConsoleServices } from "../services.ts";
import type { RequestRow } from "../store.ts";
import { csvDownload, csvRow } from "./csv.ts";
import {
  NEWEST_PLACE,
  type StatementLine,
  statementLineToJson,
  statementPage,
} from "./statement.ts";

/** Rows that are read at a time: one read of them is short, and others come in between. */
const PAGE_ROWS = 1_000;

const REQUEST_TITLES = [
  ...["id", "created_at", "key_id", "key_name", "model", "served_model", "endpoint", "stream"],
  ...["status", "http_status", "error_code", "billing_reason", "input_tokens", "output_tokens"],
  ...["cost_usd", "duration_ms", "first_byte_ms", "requests", "last_at"],
] as const;

type Cells = Readonly<Record<string, string | number | boolean | null | undefined>>;

function rowOf(titles: readonly string[], cells: Cells): string {
  return csvRow(
    titles.map((title) => {
      const cell = cells[title] ?? "";
      return typeof cell === "boolean" ? String(cell) : cell;
    }),
  );
}

type SavingRequests = AccountCallOf<typeof SAVE_REQUESTS>;

/** Everything that the list would show with these filters, page by page, the newest first. */
async function* requestPages(
  { store }: ConsoleServices,
  { accountId, query }: SavingRequests,
): AsyncGenerator<readonly RequestRow[]> {
  const { key: keyId, model, status, q: id, from: fromMs, to: toMs } = query();
  if (id !== undefined) return yield await store.requestsById(accountId, id);
  const asked = { accountId, keyId, model, status, fromMs, toMs, limit: PAGE_ROWS };
  for (let beforeId: string | undefined; ; ) {
    const page = await store.listRequests({ ...asked, beforeId });
    yield page.rows;
    if (page.next === null) return;
    beforeId = page.next;
  }
}

async function* requestTexts(
  services: ConsoleServices,
  call: SavingRequests,
): AsyncGenerator<string> {
  const { operator } = call.principal;
  const titles = operator ? [...REQUEST_TITLES, "channel"] : REQUEST_TITLES;
  let text = csvRow(titles);
  for await (const rows of requestPages(services, call)) {
    for (const row of rows) {
      const { cost, ...cells } = requestToJson(row, operator);
      text += rowOf(titles, { ...cells, cost_usd: cost });
    }
    // A search for what is rare may come to many pages without a row.
    if (text !== "") yield text;
    text = "";
  }
}

const STATEMENT_TITLES = ["date", "kind", "amount_usd", "balance_after_usd", "note", "ref", "id"];

type SavingEntries = AccountCallOf<typeof SAVE_ENTRIES>;

/**
 * The lines of some days in UTC, by which usage is summed up. It begins with the newest, wherever the days
 * lie: what the balance was then is known from what it is now.
 */
async function* statementTexts(
  { store, clock }: ConsoleServices,
  { accountId }: SavingEntries,
  { from = "", to = "9999-12-31" }: ReturnType<SavingEntries["query"]>,
): AsyncGenerator<string> {
  const nowMs = clock();
  let text = csvRow(STATEMENT_TITLES);
  for (let place = NEWEST_PLACE; ; ) {
    const page = await statementPage(store, accountId, place, PAGE_ROWS);
    const lines = (page?.lines ?? []).map((line) => ({ line, day: dayOf(line, nowMs) }));
    for (const { line, day } of lines) {
      if (day < from || day > to) continue;
      const { amount, balance_after, ...cells } = statementLineToJson(line, nowMs);
      const money = { amount_usd: amount, balance_after_usd: balance_after };
      text += rowOf(STATEMENT_TITLES, { ...cells, ...money, date: line.day ?? cells.created_at });
    }
    if (text !== "") yield text;
    text = "";
    const oldest = lines.at(-1)?.day;
    if (!page || page.next === null || (oldest !== undefined && oldest < from)) return;
    place = page.next;
  }
}

function dayOf(line: StatementLine, nowMs: number): string {
  return line.day ?? new Date(Math.min(line.atMs, nowMs)).toISOString().slice(0, 10);
}

function today({ clock }: ConsoleServices): string {
  return new Date(clock()).toISOString().slice(0, 10);
}

function saveRequests(services: ConsoleServices, call: SavingRequests): Promise<Response> {
  // What is rare among millions is looked for longer than a silent connection stays.
  call.incoming.keepOpen();
  return csvDownload(`requests-${today(services)}.csv`, requestTexts(services, call));
}

async function saveStatement(services: ConsoleServices, call: SavingEntries): Promise<Response> {
  const days = call.query();
  const { from, to = today(services) } = days;
  if (from !== undefined && from > to) {
    throw wrongParameter("from", "'from' must not be after 'to'.");
  }
  call.incoming.keepOpen();
  const fileName = ["statement", from, to].filter(Boolean).join("-");
  return csvDownload(`${fileName}.csv`, statementTexts(services, call, days));
}

/** What the lists of an account show, as files. */
export function exportRoutes(services: ConsoleServices, guards: Guards): readonly Route[] {
  return [
    guards.account(SAVE_REQUESTS, "viewer", (call) => saveRequests(services, call)),
    guards.account(SAVE_ENTRIES, "viewer", (call) => saveStatement(services, call)),
  ];
}
