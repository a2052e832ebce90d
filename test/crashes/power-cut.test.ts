// A power cut takes whatever was not flushed, at any byte, and may leave memory that was mapped from the disk in
// any state. Whoever was told that a charge is on disk finds it there.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { LedgerOwner } from "../../src/store/sqlite/book/ledger-owner.ts";
import { Dice } from "../simulation/dice.ts";
import { type BooksHere, booksHere, customerHere } from "../store/books-here.ts";
import { receipt, refusal, request, total } from "../store/samples.ts";
import { count } from "../support/counts.ts";
import { Parts } from "../support/houses/house.ts";

const CUTS = count(30, 2_000);
/** Each history is cut so often. */
const CUTS_OF_ONE = count(5, 20);
const ROUNDS = 40;
const SECTOR_BYTES = 512;
const SEED = Number(process.env.FAREGATE_TEST_SEED ?? 20_261_116);

const WAL = "faregate.sqlite-wal";
const SLOTS = "holds.map";

/** A charge of which somebody was told when the log was so long. */
interface Report {
  readonly id: string;
  readonly cost: bigint;
  readonly logBytes: number;
}

interface History {
  readonly folder: string;
  /** As it was before the log was copied into it, in part or whole. */
  readonly before: Buffer;
  readonly after: Buffer;
  readonly log: Buffer;
  readonly told: readonly Report[];
}

/** Requests that are let in, raised and ended, in groups of any size, with rows that follow at any time. */
async function work(books: BooksHere, folder: string, dice: Dice): Promise<Report[]> {
  const { book, journal } = books;
  const keys = [
    customerHere(books, 1_000_000n),
    customerHere(books, 1_000_000n, { budgets: total(500_000n) }),
  ];
  const open: ReturnType<typeof request>[] = [];
  const told: Report[] = [];
  const logBytes = () => readFileSync(join(folder, WAL)).length;
  const end = async () => {
    const [asked] = open.splice(dice.between(0, open.length - 1), 1);
    if (!asked) return;
    const cost = BigInt(dice.between(0, 90));
    const kind = dice.chance(0.8) ? "post" : "void";
    const written = receipt(asked, kind === "post" ? cost : 0n);
    expect(await book.settle({ kind, receipt: written })).toBe("done");
    told.push({ id: asked.requestId, cost: written.charge.amount, logBytes: logBytes() });
  };
  for (let i = 0; i < ROUNDS; i++) {
    for (let n = dice.between(1, 5); n > 0; n--) {
      const asked = request(dice.pick(keys), 50n);
      expect(await book.admit(asked)).toMatchObject({ kind: "admitted" });
      open.push(asked);
    }
    const [first] = open;
    if (first && dice.chance(0.3)) await book.raise({ ...first, need: 10n, floor: 10n });
    await Promise.all(Array.from({ length: dice.between(0, 6) }, end));
    if (dice.chance(0.2)) await book.refuse(refusal(request(dice.pick(keys), 0n)));
    if (dice.chance(0.2)) journal.settleUp(dice.chance(0.5) ? book.holds.takeUnwritten() : []);
  }
  return told;
}

async function history(folder: string, dice: Dice): Promise<History> {
  const file = join(folder, "faregate.sqlite");
  const books = booksHere(file, systemClock, join(folder, SLOTS));
  // Part of it is in the database already when the log begins anew.
  if (dice.chance(0.5)) {
    await work(books, folder, dice);
    books.journal.settleUp([]);
  }
  books.db.run("pragma wal_checkpoint(truncate)");
  books.db.run("pragma wal_autocheckpoint = 0");
  const before = readFileSync(file);
  const told = await work(books, folder, dice);
  const log = readFileSync(join(folder, WAL));
  copyFileSync(join(folder, SLOTS), join(folder, "holds.copy"));
  books.db.run("pragma wal_checkpoint(passive)");
  const after = readFileSync(file);
  books.close();
  return { folder, before, after, log, told };
}

/** Sectors of memory that the disk has as they were, as they are, or as nothing that was ever there. */
function tornSlots(bytes: Buffer, dice: Dice): Buffer {
  const torn = Buffer.from(bytes);
  for (let at = 0; at < torn.length; at += SECTOR_BYTES) {
    if (torn[at] === 0 || dice.chance(0.6)) continue;
    const from = at + dice.between(0, SECTOR_BYTES - 1);
    torn.fill(dice.pick([0, 1, 255]), from, at + SECTOR_BYTES);
  }
  return torn;
}

interface Cut {
  readonly folder: string;
  /** How much of the log was left. */
  readonly logBytes: number;
}

function cut({ folder: from, before, after, log }: History, folder: string, dice: Dice): Cut {
  // Either the log is cut, or it is whole and was being copied into the database.
  const isCopying = dice.chance(0.25);
  const logBytes = isCopying ? log.length : dice.between(0, log.length);
  const rest = Buffer.alloc(dice.between(0, 3) * SECTOR_BYTES, dice.between(0, 255));
  writeFileSync(
    join(folder, WAL),
    isCopying ? log : Buffer.concat([log.subarray(0, logBytes), rest]),
  );
  const copied = isCopying ? dice.between(0, after.length) : 0;
  const database = Buffer.concat([after.subarray(0, copied), before.subarray(copied)]);
  writeFileSync(join(folder, "faregate.sqlite"), database);
  const slots = readFileSync(join(from, "holds.copy"));
  const fate = dice.pick(["whole", "torn", "lost"]);
  if (fate !== "lost")
    writeFileSync(join(folder, SLOTS), fate === "torn" ? tornSlots(slots, dice) : slots);
  return { folder, logBytes };
}

/** What was entered for each request that has a receipt. */
function charges(folder: string): Map<string, bigint> {
  const db = new Database(join(folder, "faregate.sqlite"), { readonly: true, safeIntegers: true });
  const text = `select r.id, r.cost from receipts r join entries e
    on e.hold_id = r.id and e.kind in ('post', 'void') and e.amount = r.cost`;
  try {
    return new Map(db.query<[string, bigint], []>(text).values() as [string, bigint][]);
  } finally {
    db.close();
  }
}

async function expectWhole({ folder, logBytes }: Cut, told: readonly Report[]): Promise<number> {
  const owner = await LedgerOwner.open({ folder, create: false, clock: systemClock });
  try {
    await owner.recover();
    expect(await owner.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    const found = charges(folder);
    const charged = told.filter((each) => each.logBytes <= logBytes);
    const lost = charged.filter(({ id, cost }) => found.get(id) !== cost);
    expect(lost).toEqual([]);
    expect(await owner.recover()).toEqual([]);
    return charged.length;
  } finally {
    await owner.close();
  }
}

describe("a power cut at any byte takes no charge that somebody was told of", () => {
  test.each(Array.from({ length: CUTS / CUTS_OF_ONE }, (_, i) => SEED + i))(
    `seed %i, ${CUTS_OF_ONE} times`,
    async (seed) => {
      await using parts = new Parts();
      const dice = new Dice(seed);
      const past = await history(parts.folder(), dice);
      let found = 0;
      for (let n = 0; n < CUTS_OF_ONE; n++) {
        found += await expectWhole(cut(past, parts.folder(), dice), past.told);
      }
      // Cuts that come before everything prove nothing.
      expect(found).toBeGreaterThan(CUTS_OF_ONE);
    },
  );
});
