import { expect, test } from "bun:test";
import { z } from "zod";
import { memoryOfKnown } from "../../../test/support/clients/memory-of-known.ts";
import type { Fault } from "../faults.ts";
import { readJson } from "./json-body.ts";

const FORM = z.strictObject({ name: z.string("Write a name."), rows: z.array(z.int()).optional() });
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

function read(
  body: string | Uint8Array | ReadableStream,
  headers: Record<string, string> = JSON_TYPE,
) {
  const request = new Request("http://gate.example", { method: "POST", body, headers });
  return readJson({ request, memory: memoryOfKnown() }, FORM);
}

async function refusal(work: Promise<unknown>): Promise<Fault> {
  return (await work.then(
    () => undefined,
    (thrown) => thrown,
  )) as Fault;
}

test("a body that fits its form is read, in any script", async () => {
  expect(await read('{"name":"小明"}')).toEqual({ name: "小明" });
});

test.each([
  ['{"name":1}', "name", "Write a name."],
  ['{"name":"a","rows":[1,"x"]}', "rows.1", undefined],
  ["{}", "name", "Write a name."],
  ["", "name", "Write a name."],
  ['{"name":"a","nmae":"b"}', "nmae", "There is no field 'nmae' here; leave it out."],
])("what is wrong with %p is said at the field", async (body, param, message) => {
  const fault = await refusal(read(body));
  expect(fault).toMatchObject({ fault: "invalid_value", param });
  if (message !== undefined) expect(fault.message).toBe(message);
});

test("what is no JSON, or does not say that it is, is refused", async () => {
  expect(await refusal(read("{"))).toMatchObject({ fault: "invalid_json" });
  expect(await refusal(read("{}", { "content-type": "text/plain" }))).toMatchObject({
    fault: "invalid_content_type",
  });
});

test("a body without a length is read no further than the limit", async () => {
  let pulled = 0;
  const piece = new TextEncoder().encode(" ".repeat(64 * 1024));
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      if (pulled > 1_000) controller.close();
      else controller.enqueue(piece);
    },
  });
  expect(await refusal(read(endless))).toMatchObject({ fault: "request_too_large", status: 413 });
  expect(pulled).toBeLessThan(50);
});

test("bytes that are no text are refused, and packed ones are read", async () => {
  const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0]), Buffer.from('"}')]);
  expect(await refusal(read(bytes))).toMatchObject({ fault: "invalid_json", status: 400 });
  const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
  expect(await read(Bun.gzipSync('{"name":"a"}'), headers)).toEqual({ name: "a" });
});
