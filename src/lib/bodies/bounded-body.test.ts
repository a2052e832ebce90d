import { expect, test } from "bun:test";
import { memoryOfKnown } from "../../../test/support/clients/memory-of-known.ts";
import { readBounded } from "./bounded-body.ts";

function request(body: string | ReadableStream | null) {
  const request = new Request("http://gate.example", { method: "POST", body });
  return { request, memory: memoryOfKnown() };
}

test("a body is read up to its limit", async () => {
  expect(Buffer.from(await readBounded(request("12345"), { bytesMax: 5 })).toString()).toBe(
    "12345",
  );
  expect(await readBounded(request(null), { bytesMax: 5 })).toHaveLength(0);
});

test("a body over the limit is refused, whatever length it claims", async () => {
  await expect(readBounded(request("123456"), { bytesMax: 5 })).rejects.toThrow(/limit of 5 bytes/);
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new TextEncoder().encode("123"));
    },
  });
  await expect(readBounded(request(endless), { bytesMax: 5 })).rejects.toThrow(/limit of 5 bytes/);
  expect(pulled).toBeLessThan(10);
});

test("a body that comes drop by drop is given up when its time is over", async () => {
  let cancelled = false;
  const drops = new ReadableStream({
    async pull(controller) {
      await Bun.sleep(1);
      controller.enqueue(new TextEncoder().encode("."));
    },
    cancel() {
      cancelled = true;
    },
  });
  const read = readBounded(request(drops), { bytesMax: 1_000_000, withinMs: 50 });
  await expect(read).rejects.toMatchObject({ fault: "request_too_slow", status: 408 });
  expect(cancelled).toBe(true);
  expect(
    Buffer.from(await readBounded(request("12345"), { bytesMax: 5, withinMs: 60_000 })).toString(),
  ).toBe("12345");
});
