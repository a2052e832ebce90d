// Whoever keeps the books is gone after it has done what a command asked for, and before it could say so.
import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { ROOMS } from "../../src/store/migrations/rooms.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { customer } from "../store/samples.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { typed } from "./commands.ts";

const parts = partsOfTest();

/** Stands between commands and the books, and hangs up instead of passing on the answer to a question of this name. */
async function hangUpAfter(folder: string, name: string): Promise<void> {
  const [path, aside] = [join(folder, "books.sock"), join(folder, "b.sock")];
  renameSync(path, aside);
  const between = createServer((asking) => {
    const answering = connect(aside);
    let isLast = false;
    asking.on("data", (chunk) => {
      isLast ||= chunk.includes(name);
      answering.write(chunk);
    });
    answering.on("data", (chunk) => (isLast ? asking.destroy() : asking.write(chunk)));
    asking.on("close", () => answering.destroy());
    for (const socket of [asking, answering]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => between.listen(path, resolve));
  parts.defer(() => {
    between.close();
    renameSync(aside, path);
  });
}

test.each(["credit", "balance"])(
  "a top-up whose answer to %p is lost is asked for again by its id, and counts once",
  async (name) => {
    const folder = parts.folder();
    const store = parts.keep(await openSqlite(folder, { create: true, serve: true }));
    const { accountId } = await customer(store, { credit: 1n });
    await hangUpAfter(folder, name);
    const settings = { FAREGATE_DATA: folder, FAREGATE_LANG: "zh" };
    const command = ["topup", "--account", accountId, "--json", "2"];
    const first = await typed(command, settings);
    const { error } = JSON.parse(first.stdout) as { error: Record<string, unknown> };
    expect<Record<string, unknown>>(error).toEqual({
      code: "storage_unavailable",
      type: "service_unavailable_error",
      message: expect.stringContaining(`--id ${error.id}`),
      param: null,
      id: expect.stringMatching(/^top_/),
    });
    expect(first.code).toBe(2);
    expect(String(error.message)).not.toMatch(/\p{Script=Han}|try again/u);
    expect(first.stderr).toMatch(/^faregate: .*\p{Script=Han}/u);
    expect(first.stderr).toContain(`--id ${error.id}`);
    const credited = async () => (await store.ledger.balance(accountId))?.credited;
    expect(await credited()).toBe(2_000_000_001n);
    const again = await typed([...command, "--id", String(error.id)], settings);
    expect(again.stderr).toContain(`--id ${error.id}`);
    expect(await credited()).toBe(2_000_000_001n);
  },
);

test("a verification whose answer is lost calls neither the books wrong nor a file unreadable", async () => {
  const folder = parts.folder();
  parts.keep(await openSqlite(folder, { create: true, serve: true, rooms: ROOMS }));
  await hangUpAfter(folder, "verify");
  const { code, stdout } = await typed(["verify", "--json"], { FAREGATE_DATA: folder });
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "storage_unavailable" } });
});
