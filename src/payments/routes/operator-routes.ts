import { z } from "zod";
import type { AuditLog } from "../../accounts/audit.ts";
import type { Call, Guards } from "../../accounts/guards.ts";
import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import { Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import { readJson } from "../../lib/json/json-body.ts";
import { listBody, readPage } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { CREDIT_RANGE, readAmount, shownUsd } from "../amounts.ts";
import { CODE_STATES, type CodeState, type CodeStateName } from "../code.ts";
import { CODES_PER_BATCH_MAX } from "../codes.ts";
import type { Payments } from "../payments.ts";
import { answer, balanceToWire, batchToWire, codeToWire, csvFile, csvTime } from "./wire.ts";

interface OperatorServices {
  readonly payments: Payments;
  readonly audit: AuditLog;
  /** What an account is called. */
  accountName(accountId: string): Promise<string | undefined>;
}

const NOTE_CHARS_MAX = 200;

const CREDIT = z.strictObject({
  amount: z.string('Write the amount as a text, such as "12.50".'),
  note: z.string().trim().max(NOTE_CHARS_MAX).default(""),
});

const COUNT_WORDS = `Between 1 and ${CODES_PER_BATCH_MAX} codes.`;
const BATCH = z.strictObject({
  count: z.int(COUNT_WORDS).min(1, COUNT_WORDS).max(CODES_PER_BATCH_MAX, COUNT_WORDS),
  amount: z.string('Write the amount as a text, such as "12.50".'),
  expires_at: z.iso
    .datetime({ offset: true, error: "Write the time as 2027-01-31T00:00:00Z." })
    .nullable()
    .default(null),
  note: z.string().trim().max(NOTE_CHARS_MAX).default(""),
});

/** The same key for the same account gives the same id, so that a repeated call moves money once. */
function entryId(prefix: "crd_" | "deb_", { incoming }: Call): string {
  const key = incoming.request.headers.get("idempotency-key");
  if (!key) return newId(prefix);
  const wish = JSON.stringify([incoming.params.account ?? "", key]);
  const hasher = new Bun.CryptoHasher("sha256").update(wish);
  return `${prefix}${hasher.digest("hex").slice(0, 40)}`;
}

async function stateOf({ payments }: Pick<OperatorServices, "payments">, accountId: string) {
  const balance = await payments.ledger.balance(accountId);
  if (!balance) throw new Fault("not_found", "There is no such account.");
  return balance;
}

async function credit({ payments, audit }: OperatorServices, call: Call): Promise<Response> {
  const { incoming, principal } = call;
  const accountId = incoming.params.account ?? "";
  const body = await readJson(incoming.request, CREDIT);
  const amount = readAmount(body.amount, "amount", CREDIT_RANGE);
  await stateOf({ payments }, accountId);
  const id = entryId("crd_", call);
  const note = body.note || "Credit by the operator";
  const createdAtMs = payments.clock();
  const entry = { id, accountId, amount, kind: "topup", note, createdAtMs } as const;
  // The key was used before: whatever amount this call says, nothing has happened now.
  const replayed = !(await payments.ledger.credit(entry));
  const detail = { amount: formatUsd(amount), note, ...(replayed && { replayed }) };
  await audit.write({ principal, accountId, action: "account.credit", target: id, detail });
  const state = balanceToWire(await stateOf({ payments }, accountId));
  return answer({ id, account_id: accountId, amount: formatUsd(amount), note, replayed, ...state });
}

/** More than any account has: asked for it, the ledger only tells whether it knows the entry. */
const NOBODY_HAS = CREDIT_RANGE.max * 1_000n;

/**
 * What was paid by hand goes back by hand: by a transfer that somebody else makes, or because a credit was
 * too much. What requests hold stays, and so does play money, for which nobody has paid.
 */
async function refund(services: OperatorServices, call: Call): Promise<Response> {
  const { payments, audit } = services;
  const { incoming, principal } = call;
  const accountId = incoming.params.account ?? "";
  const body = await readJson(incoming.request, CREDIT);
  const amount = readAmount(body.amount, "amount", CREDIT_RANGE);
  const { credited, charged, held } = await stateOf(services, accountId);
  const most = credited - charged - held - (await payments.testCredit(accountId));
  const id = entryId("deb_", call);
  const note = body.note || "Refund by the operator";
  const asked = amount <= most ? amount : NOBODY_HAS;
  const moved = await payments.ledger.debit(id, accountId, asked, "refund", note);
  if (moved === "short") throw notThere(most);
  const replayed = moved === "already";
  const detail = { amount: formatUsd(amount), note, ...(replayed && { replayed }) };
  await audit.write({ principal, accountId, action: "account.refund", target: id, detail });
  const state = balanceToWire(await stateOf(services, accountId));
  return answer({ id, account_id: accountId, amount: formatUsd(amount), note, replayed, ...state });
}

function notThere(most: NanoUsd): Fault {
  const message =
    most > 0n
      ? `At most ${shownUsd(most)} USD can go back: the rest of the balance is held, or is test credit.`
      : "Nothing of the balance can go back: what there is, is held by requests or is test credit.";
  return new Fault("invalid_value", message, { param: "amount" });
}

async function createBatch({ payments, audit }: OperatorServices, call: Call): Promise<Response> {
  const { incoming, principal } = call;
  const body = await readJson(incoming.request, BATCH);
  const expiresAtMs = body.expires_at === null ? null : Date.parse(body.expires_at);
  const { batch, codes } = await payments.codes.createBatch({ ...body, expiresAtMs });
  const wire = batchToWire(batch);
  const target = batch.id;
  await audit.write({ principal, accountId: null, action: "codes.create", target, detail: wire });
  if (incoming.request.headers.get("accept") === "text/csv") {
    const rows = codes.map((code) => [code, wire.amount, csvTime(batch.expiresAtMs)]);
    return csvFile(`${batch.id}.csv`, [["code", "amount_usd", "expires_at"], ...rows]);
  }
  return answer({ ...wire, codes }, 201);
}

async function listBatches({ payments }: OperatorServices, call: Call): Promise<Response> {
  const { after, limit } = readPage(call.incoming.url);
  const batches = await payments.codes.listBatches(after, limit + 1);
  return answer(listBody(batches, limit, ({ id }) => id, batchToWire));
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

function readState({ searchParams }: URL): CodeStateName | undefined {
  const asked = searchParams.get("state");
  if (asked === null || asked === "") return undefined;
  const state = CODE_STATES.find((name) => name === asked);
  if (state) return state;
  const message = `The state must be one of ${CODE_STATES.join(", ")}.`;
  throw new Fault("invalid_value", message, { param: "state" });
}

/** The codes of a batch, with who has redeemed them. */
async function listCodes({ payments, accountName }: OperatorServices, call: Call) {
  const { params, url } = call.incoming;
  const { after, limit } = readPage(url);
  const page = { state: readState(url), after, limit: limit + 1 };
  const codes = await payments.codes.page(params.id ?? "", page);
  const accounts = new Set(codes.flatMap(({ redeemedBy }) => redeemedBy ?? []));
  const names = new Map<string, string | undefined>();
  for (const id of accounts) names.set(id, await accountName(id));
  const show = (code: CodeState) => codeToWire(code, names.get(code.redeemedBy ?? "") ?? null);
  return answer(listBody(codes, limit, ({ id }) => id, show));
}

const REVOKE = z.strictObject({
  code: z.string("Name the code by its id, or leave it out for all.").max(100).optional(),
});

async function revokeCodes({ payments, audit }: OperatorServices, call: Call): Promise<Response> {
  const { incoming, principal } = call;
  const { code } = await readJson(incoming.request, REVOKE);
  const { batch, count } = await payments.codes.revoke(incoming.params.id ?? "", code);
  const target = code ?? batch.id;
  const detail = { batch: batch.id, count, amount: formatUsd(batch.amount) };
  await audit.write({ principal, accountId: null, action: "codes.revoke", target, detail });
  return answer({ ...batchToWire(batch), revoked_now: count });
}

export function operatorRoutes(services: OperatorServices, guards: Guards): readonly Route[] {
  const accounts = "/api/operator/accounts/:account";
  const batches = "/api/operator/codes/batches";
  return [
    guards.money.operator("POST", `${accounts}/credit`, (call) => credit(services, call)),
    guards.money.operator("POST", `${accounts}/refund`, (call) => refund(services, call)),
    guards.money.operator("POST", batches, (call) => createBatch(services, call)),
    guards.operator("GET", batches, (call) => listBatches(services, call)),
    guards.operator("GET", `${batches}/:file`, (call) => exportBatch(services, call)),
    guards.operator("GET", `${batches}/:id/codes`, (call) => listCodes(services, call)),
    guards.money.operator("POST", `${batches}/:id/revoke`, (call) => revokeCodes(services, call)),
  ];
}
