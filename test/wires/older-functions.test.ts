// The older form of tools on the chat wire: who declares `functions` is answered with `function_call`.
import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { perSuite } from "../support/houses/house.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import type { VendorWireName } from "../support/vendors/vendor-bytes.ts";
import { modelEntry, vendorHouse } from "../support/vendors/vendor-house.ts";

const WIRES: readonly VendorWireName[] = ["responses", "chat", "messages", "gemini"];
const ARGUMENTS = { city: "Oslo" };
const TEXT = JSON.stringify(ARGUMENTS);

/** A call of the function, as a vendor of each wire answers with it in one piece or as a stream. */
const CALLS: Readonly<
  Record<VendorWireName, { whole: JsonObject; events: readonly JsonObject[] }>
> = (() => {
  const item = { id: "fc_1", type: "function_call", call_id: "c1", name: "weather" };
  const ended = { ...item, arguments: TEXT, status: "completed" };
  const response = {
    ...{ id: "resp_1", object: "response", status: "completed", model: "vendor-name" },
    output: [ended],
    usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
  };
  const chat = { id: "c", object: "chat.completion", model: "vendor-name" };
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
  const call = { id: "c1", type: "function", function: { name: "weather", arguments: TEXT } };
  const message = {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "vendor-name" },
    usage: { input_tokens: 5, output_tokens: 5 },
  };
  const use = { type: "tool_use", id: "c1", name: "weather" };
  const gemini = {
    candidates: [
      {
        content: { role: "model", parts: [{ functionCall: { name: "weather", args: ARGUMENTS } }] },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
  };
  return {
    responses: {
      whole: response,
      events: [
        { type: "response.created", response: { ...response, output: [], status: "in_progress" } },
        { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
        {
          type: "response.function_call_arguments.delta",
          output_index: 0,
          item_id: "fc_1",
          delta: TEXT,
        },
        { type: "response.output_item.done", output_index: 0, item: ended },
        { type: "response.completed", response },
      ],
    },
    chat: {
      whole: {
        ...chat,
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: null, tool_calls: [call] },
            finish_reason: "tool_calls",
          },
        ],
        usage,
      },
      events: [
        {
          ...chat,
          choices: [
            { index: 0, delta: { role: "assistant", tool_calls: [{ index: 0, ...call }] } },
          ],
        },
        { ...chat, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }], usage },
      ],
    },
    messages: {
      whole: { ...message, content: [{ ...use, input: ARGUMENTS }], stop_reason: "tool_use" },
      events: [
        { type: "message_start", message: { ...message, content: [] } },
        { type: "content_block_start", index: 0, content_block: { ...use, input: {} } },
        {
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json: TEXT },
        },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
        { type: "message_stop" },
      ],
    },
    gemini: { whole: gemini, events: [gemini] },
  };
})();

const FUNCTIONS = [
  { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
];
const ASKED = { role: "user", content: "How is the weather in Oslo?" } as const;

describe("functions of the older form", () => {
  const house = perSuite((parts) =>
    vendorHouse(parts, {
      settings: { FAREGATE_SANDBOX: "on" },
      file: (vendor) => ({
        channels: WIRES.map((wire) => ({
          id: wire,
          vendor: "custom",
          base_url: vendor.url(wire),
          protocols: [wire],
          models: { [`${wire}-1.0`]: "vendor-name" },
        })),
        models: WIRES.map((id) => modelEntry(`${id}-1.0`)),
      }),
    }),
  );

  function play(wire: VendorWireName): void {
    const { whole, events } = CALLS[wire];
    house.vendor.play(wire, (call, reply) => {
      const streams = call.json.stream === true || call.path.includes("stream");
      if (!streams) return reply.whole(200, JSON.stringify(whole));
      reply.begin("text/event-stream");
      for (const event of events) {
        const name = typeof event.type === "string" ? `event: ${event.type}\n` : "";
        reply.write(`${name}data: ${JSON.stringify(event)}\n\n`);
      }
      if (wire === "chat") reply.write("data: [DONE]\n\n");
      reply.end();
    });
  }

  const client = () =>
    new OpenAI({ baseURL: house.server.url, apiKey: house.key, maxRetries: 0 }).chat.completions;
  const body = (model: string) => ({
    model,
    messages: [ASKED],
    functions: FUNCTIONS,
    function_call: { name: "weather" },
  });

  test.each([...WIRES.map((wire) => `${wire}-1.0`), "sandbox-1.0"])(
    "are answered with a call of it, whole and streamed, by %s",
    async (model) => {
      const wire = WIRES.find((each) => model.startsWith(each));
      if (wire) play(wire);
      const whole = await client().create(body(model));
      const [choice] = whole.choices;
      expect(choice?.finish_reason).toBe("function_call");
      expect(choice?.message).not.toHaveProperty("tool_calls");
      expect(choice?.message.function_call?.name).toBe("weather");
      if (wire)
        expect(JSON.parse(choice?.message.function_call?.arguments ?? "")).toEqual(ARGUMENTS);

      let name = "";
      let told = "";
      let finish: string | null = null;
      for await (const chunk of await client().create({ ...body(model), stream: true })) {
        const delta = chunk.choices[0]?.delta;
        expect(delta ?? {}).not.toHaveProperty("tool_calls");
        name += delta?.function_call?.name ?? "";
        told += delta?.function_call?.arguments ?? "";
        finish = chunk.choices[0]?.finish_reason ?? finish;
      }
      expect([name, finish]).toEqual(["weather", "function_call"]);
      if (wire) expect(JSON.parse(told)).toEqual(ARGUMENTS);
    },
  );

  test.each(WIRES)("and what one returned reach a vendor of %s", async (wire) => {
    play(wire);
    const said = {
      role: "assistant",
      content: null,
      function_call: { name: "weather", arguments: TEXT },
    } as const;
    const returned = { role: "function", name: "weather", content: "Rain." } as const;
    await client().create({ ...body(`${wire}-1.0`), messages: [ASKED, said, returned] });
    const sent = JSON.stringify(house.vendor.callsOf(wire).at(-1)?.json);
    expect(sent).toContain("Rain.");
    expect(sent).not.toContain('"functions"');
    expect(sent).not.toContain('"function_call":{');
  });
});
