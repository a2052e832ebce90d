import type { NanoUsd, PicoUsd, PriceLine } from "../catalogue/money.ts";
import type { AttemptRecord, BillingReason, Receipt } from "../ledger/receipt.ts";
import type { MoneyRefusal } from "../ledger/refusal.ts";

/**
 * A receipt as a flat row. Both databases bind the columns in this order, and a flat array crosses
 * to the writer thread at less than half the price of the nested object.
 */
export const RECEIPT_COLUMNS = [
  "id",
  "account_id",
  "key_id",
  "created_at",
  "endpoint",
  "model",
  "stream",
  "status",
  "billing_reason",
  "error_code",
  "channel",
  "served_model",
  "attempts",
  "vendor_request_id",
  "response_id",
  "fresh",
  "cache_read",
  "cache_write",
  "cache_write_long",
  "output",
  "reasoning",
  "web_searches",
  "clamped",
  "usage_source",
  "price_version",
  "lines",
  "vendor_cost",
  "cost",
  "held",
  "loss",
  "first_byte_ms",
  "duration_ms",
  "refusal",
  "output_clamp",
  "requests",
  "last_at",
  "input_loss",
] as const;

type Columns = typeof RECEIPT_COLUMNS;
export type ReceiptColumn = Columns[number];
export type Cell = string | number | bigint | null;

/** What a row has in each column. Yes and no are 1 and 0, and amounts of money are whole numbers of any size. */
export interface ReceiptCells {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly created_at: number;
  readonly endpoint: string;
  readonly model: string;
  readonly stream: number;
  readonly status: number;
  readonly billing_reason: BillingReason;
  readonly error_code: string | null;
  readonly channel: string | null;
  readonly served_model: string | null;
  readonly attempts: string | null;
  readonly vendor_request_id: string | null;
  readonly response_id: string | null;
  readonly fresh: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly cache_write_long: number;
  readonly output: number;
  readonly reasoning: number;
  readonly web_searches: number;
  readonly clamped: number;
  readonly usage_source: Receipt["usageSource"];
  readonly price_version: string | null;
  readonly lines: string;
  readonly vendor_cost: string | null;
  readonly cost: NanoUsd;
  readonly held: NanoUsd;
  readonly loss: NanoUsd;
  readonly first_byte_ms: number | null;
  readonly duration_ms: number;
  readonly refusal: string | null;
  readonly output_clamp: number | null;
  readonly requests: number;
  readonly last_at: number | null;
  readonly input_loss: NanoUsd;
}

declare const column: unique symbol;

/** A value that knows its column. Only its type does: as it runs, it is the value. */
type CellOf<Name extends ReceiptColumn, Value = ReceiptCells[Name]> = Value extends null
  ? null
  : Value & { readonly [column]: Name };

/** The columns' values in the order of the columns: one in another's place does not compile. */
export type ReceiptRow = CellsOf<Columns>;
type CellsOf<Names extends readonly ReceiptColumn[]> = {
  readonly [At in keyof Names]: CellOf<Names[At]>;
};

function cell<Name extends ReceiptColumn>(_name: Name, value: ReceiptCells[Name]): CellOf<Name> {
  return value as CellOf<Name>;
}

/** For rows that are made rarely; `writeReceipt` needs no object in between. */
export function rowOf(cells: ReceiptCells): ReceiptRow {
  return RECEIPT_COLUMNS.map((name) => cells[name]) as readonly Cell[] as ReceiptRow;
}

/** The place of a column as a type, so that what stands there has its own. */
type ColumnIndex<Name extends ReceiptColumn> = {
  [At in keyof Columns & `${number}`]: Columns[At] extends Name ? NumberOf<At> : never;
}[keyof Columns & `${number}`];
type NumberOf<Text extends string> = Text extends `${infer N extends number}` ? N : never;

function index<Name extends ReceiptColumn>(name: Name): ColumnIndex<Name> {
  return RECEIPT_COLUMNS.indexOf(name) as ColumnIndex<Name>;
}

/** Where the ledger finds what it needs in a row without building the receipt again. */
export const AT = {
  id: index("id"),
  accountId: index("account_id"),
  keyId: index("key_id"),
  createdAt: index("created_at"),
  model: index("model"),
  status: index("status"),
  billingReason: index("billing_reason"),
  channel: index("channel"),
  servedModel: index("served_model"),
  fresh: index("fresh"),
  cacheRead: index("cache_read"),
  cacheWrite: index("cache_write"),
  cacheWriteLong: index("cache_write_long"),
  output: index("output"),
  webSearches: index("web_searches"),
  priceVersion: index("price_version"),
  cost: index("cost"),
  held: index("held"),
  loss: index("loss"),
  requests: index("requests"),
  lastAt: index("last_at"),
  inputLoss: index("input_loss"),
} as const;

/** The cells that hold amounts of money, and so may pass what a number can count. */
export const MONEY_CELLS: readonly number[] = [
  index("cost"),
  index("held"),
  index("loss"),
  index("input_loss"),
];

/**
 * A text that both databases can keep: PostgreSQL knows no NUL, neither knows half a surrogate
 * pair, and a client may send either in any name it makes up.
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** Unit prices are few and stand in every receipt; those beyond so many are fees, which differ by the request. */
const UNITS_MAX = 1_000;
const unitTexts = new Map<PicoUsd, string>();

function unitText(unitPico: PicoUsd): string {
  const known = unitTexts.get(unitPico);
  if (known !== undefined) return known;
  if (unitTexts.size >= UNITS_MAX) unitTexts.clear();
  const text = String(unitPico);
  unitTexts.set(unitPico, text);
  return text;
}

type LineCells = [item: PriceLine["item"], quantity: number, unitPico: string];

/** As JSON; prices are texts, since it has no whole numbers of any size. */
function writeLines(lines: readonly PriceLine[]): string {
  const cells: LineCells[] = [];
  for (const { item, quantity, unitPico } of lines) {
    cells.push([item, quantity, unitText(unitPico)]);
  }
  return JSON.stringify(cells);
}

function readLines(text: string): PriceLine[] {
  const lines = JSON.parse(text) as LineCells[];
  return lines.map(([item, quantity, unit]) => {
    const unitPico = BigInt(unit);
    return { item, quantity, unitPico, amountPico: BigInt(quantity) * unitPico };
  });
}

/** The last is missing in rows of before the vendor's words were kept. */
type AttemptCells = [
  string,
  string | null,
  string | null,
  number,
  string | null,
  number,
  number,
  (string | null)?,
];

/** Null for what nearly every request is: one call, which served. */
function writeAttempts(attempts: readonly AttemptRecord[]): string | null {
  const [first] = attempts;
  if (!first || (attempts.length === 1 && first.code === null)) return null;
  const cells = attempts.map(
    (attempt): AttemptCells => [
      attempt.channel,
      attempt.credential,
      attempt.model,
      attempt.status,
      attempt.code,
      attempt.startedMs,
      attempt.durationMs,
      attempt.message === null ? null : storable(attempt.message),
    ],
  );
  return JSON.stringify(cells);
}

function readAttempts(text: string | null): AttemptRecord[] {
  if (text === null) return [];
  return (JSON.parse(text) as AttemptCells[]).map(
    ([channel, credential, model, status, code, startedMs, durationMs, message = null]) => ({
      channel,
      credential,
      model,
      status,
      code,
      message,
      startedMs,
      durationMs,
    }),
  );
}

type RefusalAmounts = "used" | "max" | "left" | "needed";
type RefusalCells = Omit<MoneyRefusal, RefusalAmounts> & Record<RefusalAmounts, string | null>;

/** JSON has no whole numbers of any size, so amounts are texts. */
function writeRefusal(refusal: MoneyRefusal | null): string | null {
  if (refusal === null) return null;
  const amount = (nano: NanoUsd | null) => nano?.toString() ?? null;
  const { used, max, left, needed } = refusal;
  const cells: RefusalCells = {
    ...refusal,
    used: amount(used),
    max: amount(max),
    left: amount(left),
    needed: amount(needed),
  };
  return JSON.stringify(cells);
}

function readRefusal(text: string | null): MoneyRefusal | null {
  if (text === null) return null;
  const amount = (nano: string | null) => (nano === null ? null : BigInt(nano));
  const cells = JSON.parse(text) as RefusalCells;
  const { used, max, left, needed } = cells;
  return {
    ...cells,
    used: amount(used),
    max: amount(max),
    left: amount(left),
    needed: amount(needed),
  };
}

export function writeReceipt(receipt: Receipt): ReceiptRow {
  const { usage, charge } = receipt;
  return [
    cell("id", receipt.requestId),
    cell("account_id", receipt.accountId),
    cell("key_id", receipt.keyId),
    cell("created_at", receipt.createdAtMs),
    cell("endpoint", receipt.endpoint),
    cell("model", storable(receipt.model)),
    cell("stream", Number(receipt.stream)),
    cell("status", receipt.status),
    cell("billing_reason", receipt.billingReason),
    cell("error_code", receipt.errorCode),
    cell("channel", receipt.channel),
    cell("served_model", receipt.servedModel),
    cell("attempts", writeAttempts(receipt.attempts)),
    cell("vendor_request_id", receipt.vendorRequestId),
    cell("response_id", receipt.responseId),
    cell("fresh", usage.fresh),
    cell("cache_read", usage.cacheRead),
    cell("cache_write", usage.cacheWrite),
    cell("cache_write_long", usage.cacheWriteLong),
    cell("output", usage.output),
    cell("reasoning", usage.reasoning),
    cell("web_searches", usage.webSearches),
    cell("clamped", Number(usage.clamped)),
    cell("usage_source", receipt.usageSource),
    cell("price_version", receipt.priceVersion),
    cell("lines", writeLines(charge.lines)),
    cell("vendor_cost", receipt.vendorCost),
    cell("cost", charge.amount),
    cell("held", receipt.held),
    cell("loss", receipt.loss),
    cell("first_byte_ms", receipt.firstByteMs),
    cell("duration_ms", receipt.durationMs),
    cell("refusal", writeRefusal(receipt.refusal)),
    cell("output_clamp", receipt.outputClamp),
    cell("requests", receipt.requests),
    cell("last_at", receipt.lastAtMs),
    cell("input_loss", receipt.inputLoss),
  ];
}

/** A row as a database returns it: integers may be numbers or bigints. */
export function readReceipt(row: Readonly<Record<ReceiptColumn, Cell>>): Receipt {
  const text = (column: ReceiptColumn) => (row[column] === null ? null : String(row[column]));
  const number = (column: ReceiptColumn) => Number(row[column]);
  return {
    requestId: String(row.id),
    accountId: String(row.account_id),
    keyId: String(row.key_id),
    createdAtMs: number("created_at"),
    endpoint: String(row.endpoint),
    model: String(row.model),
    stream: number("stream") === 1,
    status: number("status"),
    billingReason: String(row.billing_reason) as BillingReason,
    errorCode: text("error_code"),
    channel: text("channel"),
    servedModel: text("served_model"),
    attempts: readAttempts(text("attempts")),
    vendorRequestId: text("vendor_request_id"),
    responseId: text("response_id"),
    usage: {
      fresh: number("fresh"),
      cacheRead: number("cache_read"),
      cacheWrite: number("cache_write"),
      cacheWriteLong: number("cache_write_long"),
      output: number("output"),
      reasoning: number("reasoning"),
      webSearches: number("web_searches"),
      clamped: number("clamped") === 1,
    },
    usageSource: String(row.usage_source) as Receipt["usageSource"],
    priceVersion: text("price_version"),
    charge: { lines: readLines(String(row.lines)), amount: BigInt(row.cost ?? 0) },
    vendorCost: text("vendor_cost"),
    held: BigInt(row.held ?? 0),
    loss: BigInt(row.loss ?? 0),
    inputLoss: BigInt(row.input_loss ?? 0),
    firstByteMs: row.first_byte_ms === null ? null : number("first_byte_ms"),
    durationMs: number("duration_ms"),
    refusal: readRefusal(text("refusal")),
    outputClamp: row.output_clamp === null ? null : number("output_clamp"),
    requests: number("requests"),
    lastAtMs: row.last_at === null ? null : number("last_at"),
  };
}
