// What becomes of an answer, right or wrong, by our own client and by `fetch`: one table for both.
import { afterEach, describe, expect, test } from "bun:test";
import {
  type AnswerCase,
  type Outcome,
  RIGHT_ANSWERS,
  WRONG_ANSWERS,
} from "../../../test/support/vendors/http1-answers.ts";
import { type RawRequest, RawVendor } from "../../../test/support/vendors/raw-vendor.ts";
import {
  FETCH,
  outcomeOf,
  ownTransport,
  type Transport,
} from "../../../test/support/vendors/transports.ts";
import { AnswerTooLong } from "./whole-text.ts";

const vendors: RawVendor[] = [];
afterEach(async () => {
  for (const vendor of vendors.splice(0)) await vendor.stop();
});

async function vendorThat(play: (request: RawRequest) => void): Promise<RawVendor> {
  const vendor = await RawVendor.start(play);
  vendors.push(vendor);
  return vendor;
}

function say({ bytes, ending }: AnswerCase, { socket }: RawRequest): void {
  const over = () => {
    if (ending === "ends") socket.end();
    // What was written first has to arrive first: a reset overtakes it.
    if (ending === "resets") setTimeout(() => socket.resetAndDestroy(), 20);
  };
  if (bytes === "") over();
  else socket.write(Buffer.from(bytes, "latin1"), over);
}

async function becomesOf(transport: Transport, each: AnswerCase): Promise<Outcome> {
  const vendor = await vendorThat((request) => say(each, request));
  const outcome = await outcomeOf(transport.post(vendor.origin, "{}"));
  expect(vendor.requests).toHaveLength(1);
  return "failed" in outcome ? "failed" : outcome;
}

const ALL = [...RIGHT_ANSWERS, ...WRONG_ANSWERS];

describe("our own client", () => {
  test.each(ALL)("takes $name for what it is", async (each) => {
    expect(await becomesOf(ownTransport(), each)).toEqual(each.own);
  });

  test.each(RIGHT_ANSWERS)("keeps or leaves the connection behind $name", async (each) => {
    const vendor = await vendorThat((request) => {
      if (request.turn === 1 && vendor.requests.length === 1) say(each, request);
      else request.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext");
    });
    const own = ownTransport();
    expect(await outcomeOf(own.post(vendor.origin, "{}"))).toMatchObject(each.own as object);
    expect(await outcomeOf(own.post(vendor.origin, "{}"))).toEqual({ status: 200, text: "next" });
    expect(vendor.connections).toBe(each.isKept ? 1 : 2);
  });
});

describe("fetch", () => {
  const settled = ALL.filter(({ fetched }) => fetched !== "waits");
  test.each(settled)("takes $name for what it is", async (each) => {
    expect(await becomesOf(FETCH, each)).toEqual((each.fetched ?? each.own) as Outcome);
  });

  test.each(["chunked", "gzip, chunked", "Chunked"])(
    "is not told by a length how much there is to read where chunks say it: %s",
    async (coding) => {
      const head = `HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: ${coding}\r\n\r\n`;
      const body = `3e8\r\n${"x".repeat(1_000)}\r\n0\r\n\r\n`;
      const vendor = await vendorThat(({ socket }) => void socket.write(head + body));
      const answer = await FETCH.post(vendor.origin, "{}").answered;
      const reading = Promise.resolve(answer.text(100));
      expect(await reading.catch((thrown: unknown) => thrown)).toBeInstanceOf(AnswerTooLong);
    },
  );
});
