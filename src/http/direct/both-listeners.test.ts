// The same bytes to a server that has its connections itself and to one of the runtime's: nobody outside can tell
// which is which.
import { describe, expect, test } from "bun:test";
import { exchange } from "../../../test/support/clients/exchanges.ts";
import { LISTENERS, openEcho } from "../../../test/support/houses/echo-servers.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { PLAIN, RAW_REQUESTS, sized } from "../../../test/support/samples/raw-requests.ts";

const servers = perSuite((parts) => {
  const settings = { FAREGATE_CORS: "*" };
  const [own, bun] = LISTENERS.map((listener) => openEcho(parts, { listener, settings }));
  return { own: own?.port ?? 0, bun: bun?.port ?? 0 };
});

async function expectSame(pieces: readonly Uint8Array[]): Promise<void> {
  const was = await exchange(servers.bun, pieces);
  expect(await exchange(servers.own, pieces)).toEqual(was);
}

const bytesOf = (text: string) => Buffer.from(text, "latin1");

/** A request in two pieces, by where the second begins. */
const halves = (bytes: Buffer) =>
  Array.from({ length: bytes.length - 1 }, (_, i) => [
    bytes.subarray(0, i + 1),
    bytes.subarray(i + 1),
  ]);

describe("a request", () => {
  test("is answered", async () => {
    for (const port of [servers.own, servers.bun]) {
      const { heard, next } = await exchange(port, [PLAIN]);
      expect(heard).toMatchObject({ answers: [{ status: 200 }], rest: "", isClosed: false });
      expect(next.answers).toHaveLength(2);
    }
  });

  test.each(Object.entries(RAW_REQUESTS))("%s", async (_, request) => {
    await expectSame([bytesOf(request)]);
  });

  test.each([
    ["a plain one", PLAIN],
    ["one whose answer is a stream", sized("{}", "x-way: events")],
    ["one with another behind it", PLAIN + sized("abc", "x-one: b")],
    ["one that is refused with its body on the way", sized("{}{}{}", "x-refuse: 1") + PLAIN],
  ])("%s, cut in two anywhere", async (_, request) => {
    const bytes = bytesOf(request);
    const [whole] = await Promise.all([exchange(servers.own, [bytes])]);
    const cut = await Promise.all(halves(bytes).map((pieces) => exchange(servers.own, pieces)));
    for (const each of cut) expect(each).toEqual(whole as never);
  });

  test("byte by byte", async () => {
    const bytes = bytesOf(PLAIN + sized("abc", "x-way: events") + PLAIN);
    const pieces = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await exchange(servers.own, pieces)).toEqual(await exchange(servers.own, [bytes]));
  });

  test("of a body that comes byte by byte", async () => {
    const body = "0123456789".repeat(20);
    const request = sized(body, "x-one: a");
    const head = request.slice(0, -body.length);
    const pieces = [head, ...body].map(bytesOf);
    expect(await exchange(servers.own, pieces)).toEqual(await exchange(servers.own, [request]));
  });
});
