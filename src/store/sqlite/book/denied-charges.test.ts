// Clients that were told that nothing is charged, and a process that was killed before it could see to that.
import { describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  admitted,
  customer,
  receipt,
  recovered,
  request,
  voidHold,
} from "../../../../test/store/samples.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import type { NewKey } from "../../../accounts/account.ts";
import { lateCredit } from "../../../ledger/ledger.ts";
import type { Store } from "../../store.ts";
import { openSqlite } from "../open.ts";
import { readSlots } from "./hold-slots.ts";

const parts = partsOfTest();
const serve = async (folder: string) =>
  parts.keep(await openSqlite(folder, { create: true, serve: true }));

/** What whoever starts next finds of a process that is killed now. */
function killed(folder: string): string {
  const left = parts.folder();
  for (const name of readdirSync(folder).filter((each) =>
    /\.(?:sqlite(?:-wal)?|map|mark)$/.test(each),
  )) {
    copyFileSync(join(folder, name), join(left, name));
  }
  return left;
}

const slotsIn = (folder: string) => readSlots(join(folder, "holds.map")).map(({ id }) => id);

async function begun() {
  const folder = parts.folder();
  const store = await serve(folder);
  const made = await customer(store, { credit: 1_000n, budget: 800n });
  return { folder, store, made, asked: await admitted(store, made, 30n) };
}

type Asked = Awaited<ReturnType<typeof admitted>>;

/** The charge is on its way to the disk when nobody waits for it any more. */
async function chargedLate({ ledger }: Store, asked: Asked): Promise<void> {
  const written = ledger.settle({
    kind: "post",
    receipt: receipt(asked, 7n),
  });
  // By now it is with the thread that writes.
  await Promise.resolve();
  ledger.withdraw(asked.requestId);
  ledger.deny(asked.requestId);
  expect(await written).toBe("done");
}

async function expectBooks({ ledger }: Store, made: NewKey, sums: object, used: bigint) {
  expect(await ledger.balance(made.accountId)).toMatchObject({ held: 0n, ...sums });
  expect((await ledger.spending(made.id))?.budgets).toMatchObject([{ used }]);
  expect(await ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
}

describe("a charge that its client was told of as none", () => {
  test("is given back, once, by whoever starts after the process was killed", async () => {
    const { folder, store, made, asked } = await begun();
    await chargedLate(store, asked);
    const left = killed(folder);
    for (const _start of [1, 2]) {
      const next = await serve(left);
      expect(await recovered(next)).toBe(0);
      await expectBooks(next, made, { credited: 1_007n, charged: 7n }, 0n);
      expect(slotsIn(left)).toEqual([]);
      await next.close();
    }
  });

  test("is given back once, where the process lives and does so itself", async () => {
    const { folder, store, made, asked } = await begun();
    await chargedLate(store, asked);
    // Its slot stays until that is on disk.
    expect(slotsIn(folder)).toEqual([asked.requestId]);
    const whose = { requestId: asked.requestId, accountId: made.accountId, keyId: made.id };
    const back = lateCredit(whose, 7n, Date.now());
    expect(await store.ledger.credit(back)).toBe(true);
    expect(slotsIn(folder)).toEqual([]);
    await expectBooks(store, made, { credited: 1_007n, charged: 7n }, 0n);
    const next = await serve(killed(folder));
    await expectBooks(next, made, { credited: 1_007n, charged: 7n }, 0n);
  });

  test("and that was given back when the process was killed is not given back again", async () => {
    const { folder, store, made, asked } = await begun();
    await chargedLate(store, asked);
    const whose = { requestId: asked.requestId, accountId: made.accountId, keyId: made.id };
    const [left] = [killed(folder), await store.ledger.credit(lateCredit(whose, 7n, Date.now()))];
    // The credit is on disk, and its slot was still taken.
    for (const name of ["faregate.sqlite", "faregate.sqlite-wal"]) {
      copyFileSync(join(folder, name), join(left, name));
    }
    expect(slotsIn(left)).toEqual([asked.requestId]);
    await expectBooks(await serve(left), made, { credited: 1_007n, charged: 7n }, 0n);
  });
});

test("a request that was denied before anything was written is ended without a charge", async () => {
  const { folder, store, made, asked } = await begun();
  store.ledger.deny(asked.requestId);
  const next = await serve(killed(folder));
  expect(await recovered(next)).toBe(1);
  await expectBooks(next, made, { credited: 1_000n, charged: 0n }, 0n);
  // The process that lives ends it itself.
  await voidHold(store, asked);
  expect(slotsIn(folder)).toEqual([]);
  await expectBooks(await serve(killed(folder)), made, { credited: 1_000n, charged: 0n }, 0n);
});

test("a charge that nobody denied stays, also where its process was killed before it freed the slot", async () => {
  const { folder, store, made, asked } = await begun();
  const beside = killed(folder);
  const settlement = {
    kind: "post",
    receipt: receipt(asked, 7n),
  } as const;
  expect(await store.ledger.settle(settlement)).toBe("done");
  const left = killed(folder);
  copyFileSync(join(beside, "holds.map"), join(left, "holds.map"));
  expect(slotsIn(left)).toEqual([asked.requestId]);
  await expectBooks(await serve(left), made, { credited: 1_000n, charged: 7n }, 7n);
  // Nor is one denied of which there is nothing here.
  store.ledger.deny(request(made, 1n).requestId);
  store.ledger.deny(asked.requestId);
  await expectBooks(store, made, { credited: 1_000n, charged: 7n }, 7n);
});
