import { describe, expect, test } from "bun:test";
import { given } from "../../../../test/support/clients/given.ts";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { textOf } from "../../../../test/support/vendors/whole-answers.ts";
import { readConfig } from "../../../config/config.ts";
import { JsonText } from "../../bytes/splice.ts";
import { openTranslation } from "../../translation/translate.ts";
import { ANYTHING } from "../../unpriced.ts";
import { NO_USAGE } from "../../usage.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { responsesWire } from "../wire.ts";

const wire = responsesWire(readConfig({}).limits);
const OPTIONS: UpstreamOptions = { ...UPSTREAM_OPTIONS, maxOutput: 8_192, webSearch: true };
const ANSWER = { model: "ours-1.0", echo: {} };
const END = { cost: undefined, usage: NO_USAGE, echo: {} };
const F = { type: "function", name: "f", parameters: {} };
const PREVIEW = { type: "web_search_preview", search_context_size: "low" };
const SEARCH = { type: "web_search", search_context_size: "low" };

function open(more: object) {
  const body = { model: "ours-1.0", input: "hi", ...more };
  const request = wire.readRequest(body, JSON.stringify(body));
  return openTranslation(wire, wire, request, {});
}

function sent(more: object, options: Partial<UpstreamOptions> = {}) {
  const { text, value, dropped } = open(more).writeRequest({ ...OPTIONS, ...options });
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
  return { ...JSON.parse(text), dropped };
}

describe("the vendor's earlier search, which it sells for more", () => {
  test.each(["web_search_preview", "web_search_preview_2025_03_11"])(
    "%s is its present one",
    (type) => {
      const body = sent({ tools: [F, { ...PREVIEW, type }], tool_choice: { type } });
      expect(body).toMatchObject({ tools: [F, SEARCH], tool_choice: { type: "web_search" } });
      expect(body.dropped).toEqual([]);
    },
  );

  test("is so too among tools that may be called, and among the input", () => {
    const user = { type: "message", role: "user", content: "hi" };
    const input = [user, { type: "additional_tools", role: "developer", tools: [PREVIEW, F] }];
    const allowed = { type: "allowed_tools", mode: "auto", tools: [{ type: PREVIEW.type }, F] };
    const body = sent({ input, tools: [F], tool_choice: allowed });
    expect(body.input).toEqual([user, { ...input[1], tools: [SEARCH, F] }]);
    expect(body.tool_choice).toEqual({ ...allowed, tools: [{ type: "web_search" }, F] });
    expect(body.dropped).toEqual([]);
  });

  test("is left out where the vendor's searches have no price, as ever", () => {
    const body = sent({ tools: [PREVIEW, F] }, { webSearch: false });
    expect([body.tools, body.dropped]).toEqual([[F], ["tools[0]"]]);
  });

  test("stays what it is where an operator allows it by its name", () => {
    const body = sent({ tools: [PREVIEW] }, { webSearch: false, allows: ANYTHING });
    expect(body.tools).toEqual([PREVIEW]);
  });

  test("leaves requests without it to the byte", () => {
    const dated = { type: "web_search_2025_08_26" };
    expect(sent({ tools: [SEARCH, dated, F], tool_choice: { type: "web_search" } })).toMatchObject({
      tools: [SEARCH, dated, F],
      tool_choice: { type: "web_search" },
    });
  });
});

describe("the answer names the tool that the client asked for", () => {
  const response = (tools: unknown, tool_choice: unknown) => ({
    ...{ id: "resp_1", object: "response", created_at: 1, status: "completed", output: [] },
    ...{ tools, tool_choice, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
  });
  const VENDOR = response([F, { ...SEARCH, filters: null }], { type: "web_search" });
  const OWN = { tools: [F, { ...PREVIEW, filters: null }], tool_choice: { type: PREVIEW.type } };
  const asked = { tools: [F, PREVIEW], tool_choice: { type: PREVIEW.type } };

  test("whole", async () => {
    const result = await open(asked).readResult(
      VENDOR,
      new JsonText(JSON.stringify(VENDOR)),
      ANSWER,
    );
    expect(JSON.parse(textOf(result.write(ANSWER, END)))).toMatchObject(OWN);
    expect(result.body).toMatchObject(OWN);
  });

  test("streamed, from the first event to the last", () => {
    const stream = open({ ...asked, stream: true }).openStream(ANSWER);
    const event = (type: string) =>
      Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, response: VENDOR })}\n\n`);
    const bytes = ["response.created", "response.completed"].map((type) =>
      stream.push(event(type)),
    );
    const texts = [bytes[0], stream.finish(END)].map((each) => given(each).toString());
    for (const text of texts) {
      expect(JSON.parse(/data: (.*)/.exec(text)?.[1] ?? "").response).toMatchObject(OWN);
    }
    expect(stream.final).toMatchObject(OWN);
  });

  test("as the vendor wrote it where the client asked for that", async () => {
    const text = JSON.stringify(VENDOR);
    const result = await open({ tools: [F, SEARCH] }).readResult(
      VENDOR,
      new JsonText(text),
      ANSWER,
    );
    expect(result.body).toBe(VENDOR);
  });
});
