import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { TestServer, temporaryFolder } from "./server.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

test("a call that its client has left is finished and charged before the process ends", async () => {
  const server = await TestServer.start({ FAREGATE_DATA: folder.path });
  const key = server.firstKey;
  const leave = new AbortController();
  const body = { model: "sandbox-1.0", input: "Say hello." };
  const slow = { "x-sandbox-fault": "delay_ms=1500" };
  const left = server.post("/responses", key, body, slow, leave.signal).catch(() => "left");
  // The hold is on disk before the vendor is called; another answer that comes later shows that it was.
  const db = new Database(join(folder.path, "faregate.sqlite"), { readonly: true });
  const count = (table: string) =>
    (db.query(`select count(*) as n from ${table}`).get() as { n: number }).n;
  while (count("holds") === 0) await Bun.sleep(10);
  expect((await server.fetch("/models", key)).status).toBe(200);
  await Bun.sleep(50);
  leave.abort();
  expect(await left).toBe("left");
  expect(await server.stop()).toBe(0);
  const receipts = db.query("select billing_reason, cost from receipts").all();
  expect(receipts).toEqual([
    { billing_reason: "client_closed_finished", cost: expect.any(Number) },
  ]);
  expect(count("holds")).toBe(0);
  db.close();
});
