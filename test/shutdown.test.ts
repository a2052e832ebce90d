import { afterAll, expect, test } from "bun:test";
import { TestServer } from "./server.ts";
import { openHolds, receipts, sqliteDatabase } from "./support/database.ts";
import { answer, MockVendor, VENDOR_KEY } from "./support/mock-vendor.ts";
import { caughtUp, eventually } from "./support/waiting.ts";

const database = sqliteDatabase();
const vendor = new MockVendor();
afterAll(async () => {
  await vendor.stop();
  await database.remove();
});

test("a call that its client has left is finished and charged before the process ends", async () => {
  const gate = Promise.withResolvers<void>();
  vendor.play(async (call) => {
    await gate.promise;
    return answer(call);
  });
  const server = await TestServer.start({
    ...database.settings,
    OPENAI_API_KEY: VENDOR_KEY,
    OPENAI_BASE_URL: vendor.url,
  });
  const leave = new AbortController();
  const body = { model: "gpt-6-luna", input: "Say hello." };
  const sent = server.post("/responses", server.firstKey, body, {}, leave.signal);
  const left = sent.catch(() => "left");
  await eventually("the vendor is called", () => vendor.calls.length === 1);
  leave.abort();
  expect(await left).toBe("left");
  await caughtUp(server.url);
  const stopped = server.stop();
  await eventually("nobody is let in any more", () =>
    fetch(server.url).then(
      () => false,
      () => true,
    ),
  );
  expect(await openHolds(database)).toHaveLength(1);
  gate.resolve();
  expect(await stopped).toBe(0);
  const [row, ...others] = await receipts(database);
  expect(row).toMatchObject({ reason: "client_closed_finished" });
  expect(row?.cost).toBeGreaterThan(0n);
  expect(others).toEqual([]);
  expect(await openHolds(database)).toEqual([]);
});
