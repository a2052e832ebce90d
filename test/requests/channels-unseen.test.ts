// From whom the house buys is not told to customers: every answer to a key, whoever's it is, is looked through for
// the names of channels, the ends of vendors' keys and what vendors call a request. Operators see them in the console.
import { beforeAll, describe, expect, test } from "bun:test";
import { perSuite } from "../support/houses/house.ts";
import { FACES, type Face } from "../support/samples/faces.ts";
import { CHAT, type JsonObject } from "../support/samples/wires.ts";
import { answering, refusing } from "../support/vendors/good-vendor.ts";
import type { Script } from "../support/vendors/scripted-vendor.ts";
import { modelEntry, vendorHouse } from "../support/vendors/vendor-house.ts";

const MODEL = "bought-1.0";
/** None of these stands anywhere else. */
const HEADERS = { "x-request-id": "vendor-id-5521", "openai-organization": "org-of-the-house" };
const UNSEEN = ["cellar", "attic", "Qk7w", "Zr3m", "vendor-id-5521", "org-of-the-house"];

const house = perSuite((parts) =>
  vendorHouse(parts, {
    settings: { FAREGATE_REPEATS_MAX: "0", FAREGATE_CHANNEL_ATTEMPTS_MIN: "100000" },
    file: (vendor) => ({
      channels: [
        ["cellar", "Qk7w"],
        ["attic", "Zr3m"],
      ].map(([id = "", end], i) => ({
        ...{ id, vendor: "custom", base_url: vendor.url(`place-${i}`), protocols: ["chat"] },
        ...{ keys: [`sk-for-vendors-${end}`], priority: -i, models: { [MODEL]: "vendor-name" } },
      })),
      models: [modelEntry(MODEL)],
    }),
  }),
);

/** The first place refuses so, the second plays this. */
function play(status: number, second: Script): void {
  house.vendor.play("place-0", refusing(status, HEADERS));
  house.vendor.play("place-1", second);
}

interface Report {
  readonly status: number;
  readonly requestId: string;
  /** Headers and body of the answer, and of its receipt. */
  readonly texts: readonly string[];
}

async function textOf(response: Response): Promise<string> {
  return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
}

async function ask(key: string, stream: boolean): Promise<Report> {
  const body = { ...CHAT.request("Hello", { stream }), model: MODEL };
  const response = await house.server.post("/chat/completions", key, body);
  const requestId = response.headers.get("x-request-id") ?? "";
  const text = await textOf(response);
  const receipt = await house.server.fetch(`/generation?id=${requestId}`, key);
  expect(receipt.status).toBe(200);
  return { status: response.status, requestId, texts: [text, await textOf(receipt)] };
}

describe("a channel of the house", () => {
  const keys: Record<string, string> = {};
  beforeAll(async () => {
    keys.customer = (await house.server.account("5")).key;
    keys.reader = (await house.server.account("5", "--account-read", "yes")).key;
    keys.operator = house.server.firstKey;
  });

  const whoAndHow = ["customer", "reader", "operator"].flatMap((who) =>
    [false, true].map((stream) => [who, stream] as const),
  );

  test.each(whoAndHow)("that served is named to no key: %s, stream %p", async (who, stream) => {
    play(500, answering("chat", { headers: HEADERS }));
    const { status, texts } = await ask(keys[who] ?? "", stream);
    expect(status).toBe(200);
    expect(UNSEEN.filter((each) => texts.join().includes(each))).toEqual([]);
    // That there were two calls, and what came of each, is told.
    const { attempts } = JSON.parse(texts[1]?.split("\n")[1] ?? "") as { attempts: JsonObject[] };
    expect(attempts).toMatchObject([
      { status: 500, code: "upstream_unavailable" },
      { status: 200, code: null },
    ]);
  });

  test.each([
    [400, 400],
    [500, 503],
  ])("that refused with %d is not named in the error", async (said, heard) => {
    play(said, refusing(said, HEADERS));
    const { status, texts } = await ask(keys.customer ?? "", false);
    expect(status).toBe(heard);
    expect(UNSEEN.filter((each) => texts.join().includes(each))).toEqual([]);
  });

  test("is named on no other page of a key", async () => {
    const paths = ["/models", `/models/${MODEL}`, "/key", "/credits"];
    const told = paths.map(async (path) =>
      textOf(await house.server.fetch(path, keys.reader ?? "")),
    );
    const texts = (await Promise.all(told)).join();
    expect(texts).toContain(MODEL);
    expect(UNSEEN.filter((each) => texts.includes(each))).toEqual([]);
  });

  test("is on the receipt that operators read", async () => {
    play(500, answering("chat", { headers: HEADERS }));
    const { requestId } = await house.call(FACES[1] as Face, MODEL, false);
    expect(await house.receipt(requestId)).toMatchObject({
      channel: "attic",
      vendor_request_id: "vendor-id-5521",
      attempts: [
        { channel: "cellar", credential: "Qk7w" },
        { channel: "attic", credential: "Zr3m" },
      ],
    });
  });
});
