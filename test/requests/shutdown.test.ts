import { expect, test } from "bun:test";
import { openHolds, receipts } from "../support/houses/database.ts";
import { perFile } from "../support/houses/house.ts";
import { serveMock } from "../support/houses/serving.ts";
import { answer } from "../support/vendors/mock-vendor.ts";
import { caughtUp, eventually } from "../support/waiting.ts";

const { server, database, vendor, key } = await perFile((parts) =>
  serveMock(parts, {}, { process: true }),
);

test("a call that its client has left is finished and charged before the process ends", async () => {
  const gate = Promise.withResolvers<void>();
  vendor.play(async (call) => {
    await gate.promise;
    return answer(call);
  });
  const leave = new AbortController();
  const body = { model: "gpt-6-luna", input: "Say hello." };
  const left = server.post("/responses", key, body, {}, leave.signal).catch(() => "left");
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
