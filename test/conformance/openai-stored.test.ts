// What the official client can look up again: models, stored responses, their input, their size.
import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { Chance } from "./chance.ts";

const MODEL = "sandbox-1.0";
const chance = new Chance();
const { server } = await perFile(serve);
const client = new OpenAI({ baseURL: server.url, apiKey: server.firstKey, maxRetries: 0 });

type ResponseBody = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "model" | "stream">;
type How = "whole" | "stream";
const HOWS: readonly How[] = ["whole", "stream"];

function respond(how: How, body: ResponseBody): Promise<OpenAI.Responses.Response> {
  const whole = { model: MODEL, ...body };
  return how === "whole"
    ? client.responses.create(whole)
    : client.responses.stream(whole).finalResponse();
}

describe(`models and stored responses, seed ${chance.seed}`, () => {
  test("lists models and retrieves each", async () => {
    const listed: OpenAI.Model[] = [];
    for await (const model of client.models.list()) listed.push(model);
    expect(listed.map((model) => model.id)).toContain(MODEL);
    expect(new Set(listed.map((model) => model.owned_by)).size).toBeGreaterThan(1);
    const shapes = listed.filter(({ id }) => !/^[a-z]+(-[a-z]+)*-\d+\.\d+$/.test(id));
    expect(shapes.map(({ id }) => id)).toEqual([
      expect.stringMatching(/-\d{4}-\d{2}-\d{2}$/) as unknown as string,
    ]);
    for (const model of listed) expect(await client.models.retrieve(model.id)).toEqual(model);
  });

  test("lists input as whole items, whatever was left out of it", async () => {
    const call = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" } as const;
    const first = await respond("whole", { input: "Say one" });
    const { id } = await respond("whole", {
      input: [
        { role: "user", content: "Say two" },
        { role: "assistant", content: "two" },
        { type: "item_reference", id: first.output[0]?.id ?? "" },
        { type: "item_reference", id: first.output[0]?.id ?? "" },
        { ...call },
        { type: "function_call_output", call_id: "c1", output: "3" },
        { role: "user", content: [{ type: "input_text", text: "Say three" }] },
      ],
    });
    const items: OpenAI.Responses.ResponseItem[] = [];
    const pages = client.responses.inputItems.list(id, { order: "asc", limit: 2 });
    for await (const item of pages) items.push(item);
    const input = (text: string) => [{ type: "input_text", text }];
    const output = (text: string) => [{ type: "output_text", text, annotations: [], logprobs: [] }];
    const done = { type: "message", status: "completed" } as const;
    const before = { ...done, role: "assistant", content: output(first.output_text) };
    expect(items as unknown[]).toMatchObject([
      { ...done, role: "user", content: input("Say two") },
      { ...done, role: "assistant", content: output("two") },
      before,
      before,
      { ...call, status: "completed" },
      { type: "function_call_output", status: "completed", call_id: "c1", output: "3" },
      { ...done, role: "user", content: input("Say three") },
    ]);
    const ids = items.map((item) => item.id);
    expect(new Set(ids).size).toBe(7);
    expect(ids.map((each) => String(each).split("_")[0])).toEqual([
      ...["msg", "msg", "msg", "msg", "fc", "fco", "msg"],
    ]);
    const reversed: unknown[] = [];
    for await (const item of client.responses.inputItems.list(id, { limit: 3 })) {
      reversed.push(item.id);
    }
    expect(reversed).toEqual(ids.toReversed());
    const plain = await client.responses.inputItems.list(first.id);
    expect(plain.data as unknown[]).toMatchObject([
      { ...done, role: "user", content: input("Say one") },
    ]);
  });

  test.each(HOWS)("retrieves, lists the input of, and deletes a response, %s", async (how) => {
    const [first, second] = [chance.name(), chance.name()];
    const response = await respond(how, {
      input: [
        { role: "developer", content: first },
        { role: "user", content: second },
      ],
      metadata: { [chance.word()]: chance.word() },
    });
    const kept = await client.responses.retrieve(response.id);
    expect(kept).toMatchObject({
      id: response.id,
      status: "completed",
      output_text: response.output_text,
      metadata: response.metadata ?? {},
    });
    expect(kept.output.map((item) => item.id)).toEqual(response.output.map((item) => item.id));
    expect(kept.usage).toEqual(response.usage);

    const items: unknown[] = [];
    const pages = client.responses.inputItems.list(response.id, { order: "asc", limit: 1 });
    for await (const item of pages) items.push(item);
    expect(JSON.stringify(items[0])).toContain(first);
    expect(JSON.stringify(items[1])).toContain(second);
    expect(items).toHaveLength(2);

    await client.responses.delete(response.id);
    const gone = client.responses.retrieve(response.id).catch((error: unknown) => error);
    expect(await gone).toBeInstanceOf(OpenAI.NotFoundError);
    const after = client.responses
      .create({ model: MODEL, input: second, previous_response_id: response.id })
      .catch((error: unknown) => error);
    expect(await after).toMatchObject({ status: 400, code: "previous_response_not_found" });
  });

  test("keeps nothing of a response with store: false", async () => {
    const response = await respond("whole", { input: chance.word(), store: false });
    expect(response).toHaveProperty("store", false);
    const gone = client.responses.retrieve(response.id).catch((error: unknown) => error);
    expect(await gone).toBeInstanceOf(OpenAI.NotFoundError);
  });

  test("counts input tokens without charging", async () => {
    const before = await (await server.fetch("/key", server.firstKey)).json();
    const counted = await client.responses.inputTokens.count({ model: MODEL, input: "Hello" });
    expect(counted.input_tokens).toBeGreaterThan(0);
    const after = await (await server.fetch("/key", server.firstKey)).json();
    expect(after).toEqual(before);
  });
});
