import { expect, test } from "bun:test";
import { readBounded } from "./bounded-body.ts";

function request(body: string | ReadableStream | null): Request {
  return new Request("http://gate.example", { method: "POST", body });
}

test("a body is read up to its limit", async () => {
  expect(Buffer.from(await readBounded(request("12345"), 5)).toString()).toBe("12345");
  expect(await readBounded(request(null), 5)).toHaveLength(0);
});

test("a body over the limit is refused, whatever length it claims", async () => {
  await expect(readBounded(request("123456"), 5)).rejects.toThrow(/limit of 5 bytes/);
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new TextEncoder().encode("123"));
    },
  });
  await expect(readBounded(request(endless), 5)).rejects.toThrow(/limit of 5 bytes/);
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
  const read = readBounded(request(drops), 1_000_000, 50);
  await expect(read).rejects.toMatchObject({ fault: "request_too_slow", status: 408 });
  expect(cancelled).toBe(true);
  expect(Buffer.from(await readBounded(request("12345"), 5, 60_000)).toString()).toBe("12345");
});
