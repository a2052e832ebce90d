import type { AuditLog } from "../../accounts/audit.ts";
import type { Call, CallOf, Guards } from "../../accounts/guards.ts";
import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import { FileReply } from "../../lib/contract.ts";
import { Fault } from "../../lib/faults.ts";
import { listBody } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { CREDIT_RANGE, readAmount, shownUsd } from "../amounts.ts";
import type { CodeState } from "../code.ts";
import {
  CREATE_BATCH,
  EXPORT_BATCH,
  LIST_BATCHES,
  LIST_CODES,
  REVOKE_CODES,
} from "../contract/codes.ts";
import { CREDIT_ACCOUNT, REFUND_ACCOUNT } from "../contract/wallet.ts";
import type { Payments } from "../payments.ts";
import { entryId } from "./entry-id.ts";
import { balanceToJson, batchToJson, codeToJson, csvFile, csvTime } from "./json.ts";

interface OperatorServices {
  readonly payments: Payments;
  readonly audit: AuditLog;
  /** What an account is called. */
  accountName(accountId: string): Promise<string | undefined>;
}

async function stateOf({ payments }: OperatorServices, accountId: string) {
  const balance = await payments.ledger.balance(accountId);
  if (!balance) throw new Fault("not_found", "There is no such account.");
  return balance;
}

interface Move {
  readonly action: "account.credit" | "account.refund";
  readonly id: string;
  readonly accountId: string;
  readonly amount: NanoUsd;
  readonly note: string;
}

function lineOf(call: Call, { action, id, accountId, amount, note }: Move) {
  const detail = { amount: formatUsd(amount), note };
  return { ...call, accountId, action, target: id, detail };
}

/**
 * Writes down what is to be moved by hand. Before it is: whatever ends in between, no money moves without a line. One that
 * has failed may have said something else under the same key, and its line is not that of this one.
 */
function moving({ audit }: OperatorServices, call: Call, move: Move): Promise<void> {
  return audit.write({ ...lineOf(call, move), once: "as_said" });
}

/**
 * Tells what was moved by hand. `replayed` where the key was used before: whatever amount this call says, nothing has
 * happened now, which is a line of its own.
 */
async function moved(services: OperatorServices, call: Call, move: Move, replayed: boolean) {
  const { id, accountId, note } = move;
  const amount = formatUsd(move.amount);
  const line = lineOf(call, move);
  if (replayed) await services.audit.write({ ...line, detail: { ...line.detail, replayed } });
  const state = balanceToJson(await stateOf(services, accountId));
  return { id, account_id: accountId, amount, note, replayed, ...state };
}

async function credit(services: OperatorServices, call: CallOf<typeof CREDIT_ACCOUNT>) {
  const { payments } = services;
  const accountId = call.incoming.params.account ?? "";
  const body = await call.body();
  const amount = readAmount(body.amount, "amount", CREDIT_RANGE);
  await stateOf(services, accountId);
  const id = entryId("crd_", call);
  const note = body.note || "Credit by the operator";
  const move: Move = { action: "account.credit", id, accountId, amount, note };
  await moving(services, call, move);
  const createdAtMs = payments.clock();
  const entry = { id, accountId, amount, kind: "topup", note, createdAtMs } as const;
  const replayed = !(await payments.ledger.credit(entry));
  return moved(services, call, move, replayed);
}

/** More than any account has: asked for it, the ledger only tells whether it knows the entry. */
const NOBODY_HAS = CREDIT_RANGE.max * 1_000n;

/**
 * What was paid by hand goes back by hand: by a transfer that somebody else makes, or because a credit was
 * too much. What requests hold stays, and so does play money, for which nobody has paid.
 */
async function refund(services: OperatorServices, call: CallOf<typeof REFUND_ACCOUNT>) {
  const { payments } = services;
  const accountId = call.incoming.params.account ?? "";
  const body = await call.body();
  const amount = readAmount(body.amount, "amount", CREDIT_RANGE);
  const { credited } = await stateOf(services, accountId);
  const most = await payments.freeOfPlay(accountId, credited);
  const id = entryId("deb_", call);
  const note = body.note || "Refund by the operator";
  const move: Move = { action: "account.refund", id, accountId, amount, note };
  const isThere = amount <= most;
  if (isThere) await moving(services, call, move);
  const asked = isThere ? amount : NOBODY_HAS;
  const outcome = await payments.ledger.debit(id, accountId, asked, "refund", note);
  if (outcome === "short") throw notThere(most);
  return moved(services, call, move, outcome === "already");
}

function notThere(most: NanoUsd): Fault {
  const message =
    most > 0n
      ? `At most ${shownUsd(most)} USD can go back: the rest of the balance is held, or is test credit.`
      : "Nothing of the balance can go back: what there is, is held by requests or is test credit.";
  return new Fault("invalid_value", message, { param: "amount" });
}

async function createBatch(
  { payments, audit }: OperatorServices,
  call: CallOf<typeof CREATE_BATCH>,
) {
  const body = await call.body();
  const expiresAtMs = body.expires_at === null ? null : Date.parse(body.expires_at);
  const { batch, codes } = await payments.codes.createBatch({ ...body, expiresAtMs });
  const json = batchToJson(batch);
  const note = { ...call, accountId: null, action: "codes.create", target: batch.id };
  await audit.write({ ...note, detail: json });
  if (call.incoming.request.headers.get("accept") === "text/csv") {
    const rows = codes.map((code) => [code, json.amount, csvTime(batch.expiresAtMs)]);
    const head = ["code", "amount_usd", "expires_at"];
    return new FileReply(csvFile(`${batch.id}.csv`, [head, ...rows]));
  }
  return { ...json, codes };
}

async function listBatches({ payments }: OperatorServices, call: CallOf<typeof LIST_BATCHES>) {
  const { after, limit } = call.query();
  const batches = await payments.codes.listBatches(after, limit + 1);
  return listBody(batches, limit, ({ id }) => id, batchToJson);
}

/** What became of the codes of a batch. The codes themselves were shown once and are not kept. */
async function exportBatch({ payments }: OperatorServices, call: Call): Promise<Response> {
  const { params } = call.incoming;
  const id = (params.file ?? "").replace(/\.csv$/, "");
  const onlyUnused = call.incoming.url.searchParams.has("unused");
  const { batch, codes } = await payments.codes.batch(id, onlyUnused);
  const rows = codes.map((code) => [
    code.id,
    code.lastFour,
    formatUsd(batch.amount),
    csvTime(batch.expiresAtMs),
    csvTime(code.redeemedAtMs),
    code.redeemedBy ?? "",
    csvTime(code.revokedAtMs),
  ]);
  const head = [
    ...["id", "last_four", "amount_usd", "expires_at"],
    ...["redeemed_at", "account_id", "revoked_at"],
  ];
  return csvFile(`${batch.id}.csv`, [head, ...rows]);
}

/** The codes of a batch, with who has redeemed them. */
async function listCodes(
  { payments, accountName }: OperatorServices,
  call: CallOf<typeof LIST_CODES>,
) {
  const { state, after, limit } = call.query();
  const page = { state, after, limit: limit + 1 };
  const codes = await payments.codes.page(call.incoming.params.id ?? "", page);
  const accounts = new Set(codes.flatMap(({ redeemedBy }) => redeemedBy ?? []));
  const names = new Map<string, string | undefined>();
  for (const id of accounts) names.set(id, await accountName(id));
  const show = (code: CodeState) => codeToJson(code, names.get(code.redeemedBy ?? "") ?? null);
  return listBody(codes, limit, ({ id }) => id, show);
}

async function revokeCodes(
  { payments, audit }: OperatorServices,
  call: CallOf<typeof REVOKE_CODES>,
) {
  const { code } = await call.body();
  const { batch, count } = await payments.codes.revoke(call.incoming.params.id ?? "", code);
  const target = code ?? batch.id;
  const detail = { batch: batch.id, count, amount: formatUsd(batch.amount) };
  await audit.write({ ...call, accountId: null, action: "codes.revoke", target, detail });
  return { ...batchToJson(batch), revoked_now: count };
}

export function operatorRoutes(services: OperatorServices, guards: Guards): readonly Route[] {
  const { money } = guards;
  return [
    money.operator(CREDIT_ACCOUNT, (call) => credit(services, call)),
    money.operator(REFUND_ACCOUNT, (call) => refund(services, call)),
    money.operator(CREATE_BATCH, (call) => createBatch(services, call)),
    guards.operator(LIST_BATCHES, (call) => listBatches(services, call)),
    guards.operator(EXPORT_BATCH, (call) => exportBatch(services, call)),
    guards.operator(LIST_CODES, (call) => listCodes(services, call)),
    money.operator(REVOKE_CODES, (call) => revokeCodes(services, call)),
  ];
}
