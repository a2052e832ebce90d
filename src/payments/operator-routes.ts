import { z } from "zod";
import type { AuditLog } from "../accounts/audit.ts";
import type { Call, Doors } from "../accounts/doors.ts";
import { formatUsd } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import { readJson } from "../lib/json-body.ts";
import { listBody, readPage } from "../lib/listing.ts";
import type { Route } from "../lib/route.ts";
import { CREDIT_RANGE, readAmount } from "./amounts.ts";
import { CODES_PER_BATCH_MAX } from "./codes.ts";
import type { Payments } from "./payments.ts";
import { answer, balanceToWire, batchToWire, csvFile, csvTime } from "./wire.ts";

interface OperatorServices {
  readonly payments: Payments;
  readonly audit: AuditLog;
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

/** The same key for the same account gives the same id, so that a repeated call credits once. */
function creditId(accountId: string, key: string | null): string {
  if (!key) return newId("crd_");
  const hasher = new Bun.CryptoHasher("sha256").update(JSON.stringify([accountId, key]));
  return `crd_${hasher.digest("hex").slice(0, 40)}`;
}

async function credit({ payments, audit }: OperatorServices, call: Call): Promise<Response> {
  const { incoming, visitor } = call;
  const accountId = incoming.params.account ?? "";
  const body = await readJson(incoming.request, CREDIT);
  const amount = readAmount(body.amount, "amount", CREDIT_RANGE);
  if (!(await payments.ledger.balance(accountId))) {
    throw new Fault("not_found", "There is no such account.");
  }
  const id = creditId(accountId, incoming.request.headers.get("idempotency-key"));
  const note = body.note || "Credit by the operator";
  const createdAtMs = payments.clock();
  const entry = { id, accountId, amount, kind: "topup", note, createdAtMs } as const;
  // The key was used before: whatever amount this call says, nothing has happened now.
  const replayed = !(await payments.ledger.credit(entry));
  const detail = { amount: formatUsd(amount), note, ...(replayed && { replayed }) };
  await audit.write({ visitor, accountId, action: "account.credit", target: id, detail });
  const balance = await payments.ledger.balance(accountId);
  const state = balance ? balanceToWire(balance) : {};
  return answer({ id, account_id: accountId, amount: formatUsd(amount), note, replayed, ...state });
}

async function createBatch({ payments, audit }: OperatorServices, call: Call): Promise<Response> {
  const { incoming, visitor } = call;
  const body = await readJson(incoming.request, BATCH);
  const expiresAtMs = body.expires_at === null ? null : Date.parse(body.expires_at);
  const { batch, codes } = await payments.codes.createBatch({ ...body, expiresAtMs });
  const wire = batchToWire(batch);
  const target = batch.id;
  await audit.write({ visitor, accountId: null, action: "codes.create", target, detail: wire });
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
  ]);
  const head = ["id", "last_four", "amount_usd", "expires_at", "redeemed_at", "account_id"];
  return csvFile(`${batch.id}.csv`, [head, ...rows]);
}

export function operatorRoutes(services: OperatorServices, doors: Doors): readonly Route[] {
  const accounts = "/api/operator/accounts/:account";
  const batches = "/api/operator/codes/batches";
  return [
    doors.money.operator("POST", `${accounts}/credit`, (call) => credit(services, call)),
    doors.money.operator("POST", batches, (call) => createBatch(services, call)),
    doors.operator("GET", batches, (call) => listBatches(services, call)),
    doors.operator("GET", `${batches}/:file`, (call) => exportBatch(services, call)),
  ];
}
