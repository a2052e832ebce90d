import { beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { serialize } from "node:v8";
import { upTo } from "../../../../test/store/other-versions.ts";
import {
  admitted,
  credit,
  customer,
  failureOf,
  post,
  request,
} from "../../../../test/store/samples.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { eventually } from "../../../../test/support/waiting.ts";
import { readConfig } from "../../../config/config.ts";
import { StorageError } from "../../../lib/faults.ts";
import { openConsoleReads } from "../../money-reads/open.ts";
import { readSlots } from "../book/hold-slots.ts";
import { migrate, openFile } from "../database.ts";
import { takeLock } from "../files/serve-lock.ts";
import { MONEY_TABLES } from "../money-schema.ts";
import { openSqlite } from "../open.ts";
import { LedgerClient, remoteMoney } from "./client.ts";
import { OwnerConnection } from "./connection.ts";
import { NOT_READ } from "./frames.ts";

const parts = partsOfTest();
let folder: string;
beforeEach(() => {
  folder = parts.folder();
});

const open = async (serve: boolean) =>
  parts.keep(await openSqlite(folder, { create: true, serve }));

describe("whoever does not keep the books", () => {
  test("asks whoever does, be it another command", async () => {
    const [first, second] = [await open(false), await open(false)];
    const made = await customer(first, { credit: 100n });
    const asked = await admitted(second, made, 30n);
    expect(await first.ledger.balance(made.accountId)).toMatchObject({ held: 30n });
    expect(await post(first, asked, 12n)).toBe("done");
    expect(await second.ledger.balance(made.accountId)).toMatchObject({ charged: 12n, held: 0n });
    // The one that kept them ends; the other goes on.
    await first.close();
    await post(second, await admitted(second, made, 30n), 5n);
    expect(await second.ledger.balance(made.accountId)).toMatchObject({ charged: 17n });
  });

  test("knows that they are put down when they have been, and what it asks then is not done", async () => {
    const first = await open(false);
    const made = await customer(first, { credit: 100n });
    const connection = parts.adopt(await OwnerConnection.open(folder), (opened) => opened?.close());
    await connection?.ask({ port: "books", name: "ping", args: [] });
    const closing = first.close();
    // Nobody has said goodbye yet, so it can still be asked.
    expect(connection?.isGone).toBe(false);
    await closing;
    expect(connection?.isGone).toBe(true);
    const next = await open(false);
    expect(await next.ledger.balance(made.accountId)).toMatchObject({ charged: 0n, held: 0n });
  });

  test("asks whoever has them next where they were put down before it was heard", async () => {
    const server = await openSqlite(folder, { create: true, serve: true });
    const made = await customer(server, { credit: 100n });
    await server.close();
    const clientOf = () => {
      const client = new LedgerClient({ folder, create: false, clock: Date.now });
      parts.defer(() => client.close());
      return client;
    };
    const [first, second] = [clientOf(), clientOf()];
    for (const client of [first, second]) await remoteMoney(client).ping();
    const { reads, close } = await openConsoleReads(readConfig({ FAREGATE_DATA: folder }));
    parts.defer(close);
    const page = { accountId: made.accountId, limit: 5 };
    await reads.listRequests(page);
    // It is on its way when the first says goodbye.
    const closing = first.close();
    const asked = remoteMoney(second).ledger.balance(made.accountId);
    const listed = reads.listRequests(page);
    expect(await asked).toMatchObject({ credited: 100n });
    expect(await listed).toMatchObject({ rows: [] });
    await closing;
  });

  test("asks whoever has them next where its connection was never taken", async () => {
    const server = await openSqlite(folder, { create: true, serve: true });
    const made = await customer(server, { credit: 100n });
    await server.close();
    // As the system does with what waits to be let in when somebody stops to listen.
    const leaving = createServer((socket) => {
      leaving.close();
      socket.destroy();
    });
    await new Promise<void>((resolve) => leaving.listen(join(folder, "books.sock"), resolve));
    const client = new LedgerClient({ folder, create: false, clock: Date.now });
    parts.defer(() => client.close());
    const balance = await remoteMoney(client).ledger.balance(made.accountId);
    expect(balance).toMatchObject({ credited: 100n });
  });

  test("gives them to a server that starts, and asks it from then on", async () => {
    const command = await open(false);
    const made = await customer(command, { credit: 100n });
    const server = await open(true);
    const asked = await admitted(server, made, 30n);
    expect(await command.ledger.balance(made.accountId)).toMatchObject({ held: 30n });
    expect(await credit(command, made.accountId, 50n)).toBe(true);
    expect(await post(server, asked, 30n)).toBe("done");
    expect(await server.admission.admit(request(made, 120n, { hard: true }))).toMatchObject({
      kind: "admitted",
      held: 120n,
    });
  });

  test("clears up what a dead process left before it says anything", async () => {
    const server = await openSqlite(folder, { create: true, serve: true });
    const made = await customer(server, { credit: 100n });
    await admitted(server, made, 30n);
    await server.close();
    const command = await open(false);
    expect(await command.ledger.balance(made.accountId)).toMatchObject({ held: 0n });
    expect(await command.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });

  test("gives them to a server that starts while it clears up, once that is done", async () => {
    const dead = await openSqlite(folder, { create: true, serve: true });
    const made = await customer(dead, { credit: 100n });
    await admitted(dead, made, 30n);
    await dead.close();
    // Somebody writes to the file for as long as the server asks for the books.
    const other = openFile(join(folder, "faregate.sqlite"), { create: false, synchronous: "FULL" });
    parts.defer(() => other.close());
    const clearing = Promise.withResolvers<void>();
    let block = () => {
      other.run("begin immediate");
      clearing.resolve();
      block = () => {};
    };
    const clock = () => {
      block();
      return Date.now();
    };
    const client = new LedgerClient({ folder, create: false, clock });
    parts.defer(() => client.close());
    const balance = remoteMoney(client).ledger.balance(made.accountId);
    await clearing.promise;
    const asking = await OwnerConnection.open(folder);
    await asking?.ask({ port: "books", name: "yield", args: [] });
    asking?.close();
    other.run("rollback");
    const server = open(true);
    expect(await balance).toMatchObject({ credited: 100n, held: 0n });
    expect((await (await server).ledger.verify()).problems).toEqual([]);
  });

  test("is told nothing while that is being cleared up", async () => {
    const dead = await openSqlite(folder, { create: true, serve: true });
    const made = await customer(dead, { credit: 100n });
    await admitted(dead, made, 30n);
    await dead.close();
    // The end of the hold has a time: whoever asks then asks in the midst of it.
    let meanwhile: Promise<unknown> | undefined;
    const clock = () => {
      meanwhile ??= remoteMoney(client).ledger.balance(made.accountId);
      return Date.now();
    };
    const client = new LedgerClient({ folder, create: false, clock });
    parts.defer(() => client.close());
    expect(await remoteMoney(client).ledger.balance(made.accountId)).toMatchObject({ held: 0n });
    expect(await meanwhile).toMatchObject({ held: 0n });
  });

  test("is told nothing before that has been cleared up, though it could not be at first", async () => {
    const dead = await openSqlite(folder, { create: true, serve: true });
    const made = await customer(dead, { credit: 100n });
    await admitted(dead, made, 30n);
    await dead.close();
    // The disk takes nothing just when the hold is to be ended, which has a time.
    let isFull = false;
    let wasFull = false;
    const clock = () => {
      isFull = !wasFull;
      return Date.now();
    };
    const check = () => {
      if (!isFull) return;
      [isFull, wasFull] = [false, true];
      throw new StorageError("database or disk is full");
    };
    const client = new LedgerClient({ folder, create: false, clock, check });
    parts.defer(() => client.close());
    const { ledger } = remoteMoney(client);
    expect((await failureOf(ledger.balance(made.accountId))).message).toContain("full");
    expect(await ledger.balance(made.accountId)).toMatchObject({ held: 0n });
  });

  test("is told what went wrong, and refused when it is closed", async () => {
    await open(true);
    const command = await openSqlite(folder, { create: false, serve: false });
    const failure = await failureOf(credit(command, "acct_none", 5n));
    expect(failure).toMatchObject({ name: "StorageError" });
    expect(failure.message).toContain("FOREIGN KEY");
    await command.close();
    expect(await failureOf(command.ledger.balance("acct_none"))).toMatchObject({
      name: "StorageError",
    });
  });

  test("may die with its question on the way: it has happened, or it has not", async () => {
    const server = await open(true);
    const made = await customer(server, { credit: 1_000n });
    for (let i = 0; i < 40; i++) {
      const debit = { id: `ref_${i}`, accountId: made.accountId, amount: 10n, createdAtMs: 5 };
      const connection = await OwnerConnection.open(folder);
      await connection?.ask({ port: "books", name: "alive", args: [] });
      const answer = connection?.ask({
        port: "ledger",
        name: "debit",
        args: [{ ...debit, kind: "refund", note: "" }],
      });
      const cut = failureOf(answer);
      if (i % 2) await new Promise((resolve) => setImmediate(resolve));
      connection?.close();
      await cut;
    }
    await eventually("nothing is on its way", async () => {
      const { credited } = (await server.ledger.balance(made.accountId)) ?? { credited: 0n };
      // All that is there can be held: nothing stays aside for a debit that nobody waits for.
      const outcome = await server.admission.admit(
        request(made, credited, { hard: true, floor: credited }),
      );
      if (outcome.kind !== "admitted" || outcome.held !== credited) return false;
      return true;
    });
    expect((await server.ledger.verify()).problems).toEqual([]);
  });
});

test("what a server of before has open is not cleared up under its hands", async () => {
  const server = await openSqlite(folder, { create: true, serve: true });
  const made = await customer(server, { credit: 100n });
  await admitted(server, made, 30n);
  await server.close();
  // It has its lock, and has never heard of a socket.
  const unlock = takeLock(join(folder, "serve.lock"));
  const client = new LedgerClient({ folder, create: false, clock: Date.now, waitMs: 50 });
  const failure = await failureOf(remoteMoney(client).ledger.balance(made.accountId));
  expect(failure.message).toContain("earlier version");
  unlock?.();
  await client.close();
  expect(readSlots(join(folder, "holds.map"))).toHaveLength(1);
});

test("a server of before keeps the tables that it needs as long as it runs", async () => {
  const path = join(folder, "faregate.sqlite");
  const db = openFile(path, { create: true, synchronous: "FULL" });
  migrate(db, upTo(MONEY_TABLES, 1));
  db.close();
  const unlock = takeLock(join(folder, "serve.lock"));
  const command = () => openSqlite(folder, { create: false, serve: false });
  const failure = await failureOf(command());
  expect(failure.name).toBe("DatabaseInUseError");
  expect(failure.message).toContain("A server of an earlier version runs on");
  unlock?.();
  parts.keep(await command());
});

test("a question to somebody who hangs is answered with that", async () => {
  const deaf = createServer(() => {});
  await new Promise<void>((resolve) => deaf.listen(join(folder, "books.sock"), resolve));
  const connection = await OwnerConnection.open(folder, 20);
  const failure = await failureOf(connection?.ask({ port: "ledger", name: "verify", args: [] }));
  expect(failure.message).toContain("does not answer");
  expect(connection?.isGone).toBe(true);
  deaf.close();
});

function frameOf(value: unknown): Buffer {
  const body = serialize(value);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

describe("another version, whose runtime writes values in a way that is not known", () => {
  /** As of a version that comes much later. */
  function unreadable(): Buffer {
    const frame = frameOf({ id: 1 });
    frame[4] = 255;
    return frame;
  }

  test("asks a server, which goes on", async () => {
    const server = await open(true);
    const made = await customer(server, { credit: 100n });
    const stranger = connect(join(folder, "books.sock"));
    const closed = new Promise<void>((resolve) => stranger.once("close", () => resolve()));
    stranger.resume();
    stranger.write(unreadable());
    await closed;
    expect(await server.ledger.balance(made.accountId)).toMatchObject({ credited: 100n });
    const command = await open(false);
    expect(await command.ledger.balance(made.accountId)).toMatchObject({ credited: 100n });
  });

  test.each([
    ["cannot be read", () => unreadable()],
    ["says that it could not read", () => frameOf({ id: NOT_READ })],
  ])("answers what %s, and whoever has asked hears what to do", async (_, answer) => {
    const foreign = createServer((socket) => socket.on("data", () => socket.write(answer())));
    await new Promise<void>((resolve) => foreign.listen(join(folder, "books.sock"), resolve));
    parts.defer(() => new Promise<void>((resolve) => foreign.close(() => resolve())));
    const client = new LedgerClient({ folder, create: false, clock: Date.now });
    parts.defer(() => client.close());
    const failure = await failureOf(remoteMoney(client).ledger.balance("acct_any"));
    expect(failure).toMatchObject({ name: "StorageError" });
    expect(failure.message).toContain("of another version");
  });
});

test("the socket is for the owner alone, and gone with whoever listened", async () => {
  const server = await openSqlite(folder, { create: true, serve: true });
  expect(statSync(join(folder, "books.sock")).mode & 0o777).toBe(0o600);
  await server.close();
  expect(readdirSync(folder)).not.toContain("books.sock");
});

test("a folder with a name that is too long for a socket has one all the same", async () => {
  folder = join(folder, "d".repeat(120));
  const [server, command] = [await open(true), await open(false)];
  const made = await customer(command, { credit: 100n });
  expect(await server.ledger.balance(made.accountId)).toMatchObject({ credited: 100n });
});

test("pages see what is settled and held, whether anybody keeps the books or not", async () => {
  const server = await openSqlite(folder, { create: true, serve: true });
  const made = await customer(server, { credit: 100n });
  const { reads, close } = await openConsoleReads(readConfig({ FAREGATE_DATA: folder }));
  parts.defer(close);
  const page = { accountId: made.accountId, limit: 5 };
  const asked = await admitted(server, made, 30n);
  expect(await reads.listRequests(page)).toMatchObject({ rows: [] });
  await post(server, asked, 12n);
  expect(await reads.listRequests(page)).toMatchObject({ rows: [{ id: asked.requestId }] });
  await server.close();
  expect(await reads.listRequests(page)).toMatchObject({ rows: [{ id: asked.requestId }] });
});
