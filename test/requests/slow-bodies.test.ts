// Bodies that come drop by drop: never silent for long, and never there.
import { describe, expect, test } from "bun:test";
import { expectUntouched } from "../support/books.ts";
import { headerOf, isWhole, RawClient } from "../support/clients/raw-client.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { MODEL } from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

const settings = { FAREGATE_UPLOAD_MS: "200" };
const { server } = await perFile((parts) => serve(parts, { settings }));
const { key } = await server.account("1");

const openai = { error: { type: "invalid_request_error", code: "request_too_slow", param: null } };
const google = { error: { code: 408, status: "INVALID_ARGUMENT" } };

const PATHS: readonly (readonly [path: string, error: object])[] = [
  ["/v1/responses", openai],
  ["/v1/chat/completions", openai],
  ["/v1/embeddings", openai],
  ["/v1/responses/input_tokens", openai],
  ["/v1/estimate", openai],
  ["/v1/messages", { type: "error", error: { type: "invalid_request_error" } }],
  [`/v1beta/models/${MODEL}:generateContent`, google],
];

/** How a body says where it ends, and what comes of it. */
const LENGTHS: readonly (readonly [words: string, header: string, drops: string])[] = [
  ["of a short length", "content-length: 300", '{"model": '],
  ["of a great length", "content-length: 3000000", '{"model": '],
  ["of unknown length", "transfer-encoding: chunked", "3\r\n{  \r\n"],
  [
    "that is packed",
    "content-encoding: gzip\r\ncontent-length: 300",
    Bun.gzipSync("{}").subarray(0, 9).toString(),
  ],
];

describe.each(LENGTHS)("a body %s that never ends", (_words, header, drops) => {
  test.each(PATHS)(
    "is answered in the words of %s, and its connection closed",
    async (path, error) => {
      const client = await RawClient.connect(server.url);
      const head = [
        `POST ${path} HTTP/1.1`,
        "host: 127.0.0.1",
        `authorization: Bearer ${key}`,
        "content-type: application/json",
        header,
      ];
      client.send(`${head.join("\r\n")}\r\n\r\n${drops}`);
      await eventually("it is refused", () => isWhole(client.text));
      await client.closed;
      expect(client.text).toStartWith("HTTP/1.1 408 ");
      expect(headerOf(client.text, "x-should-retry")).toBe("true");
      expect(JSON.parse(client.text.split("\r\n\r\n")[1] ?? "")).toMatchObject(error);
    },
  );
});

test("nothing is charged or held for it", () => expectUntouched(server, key));
