// What official clients make of a stream that its budget ended: an answer that is not complete, no error.
import { describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { keyFacts, nano } from "../support/books.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";

const { server } = await perFile((parts) =>
  serve(parts, { books: true, settings: { FAREGATE_FLOOR_OUTPUT_TOKENS: "64" } }),
);
const root = server.url.replace(/\/v1$/, "");
const model = "sandbox-1.0";
/** Far more than the budget pays for. */
const LONG = "Write 3000 words about rivers.";
const BUDGET = "0.005";

async function hardKey(): Promise<string> {
  const { key } = await server.account("5", "--budget", BUDGET, "--hard", "yes");
  return key;
}

/** Its receipt says why it ended, and it cost no more than there was. */
async function expectBudgetEnded(key: string, text: string): Promise<void> {
  expect(text.length).toBeGreaterThan(500);
  const { used } = await keyFacts(server, key);
  expect(nano(used)).toBeGreaterThan(nano(BUDGET) / 4n);
  expect(nano(used)).toBeLessThanOrEqual(nano(BUDGET));
}

async function receiptOf(key: string, id: string) {
  const response = await server.fetch(`/generation?id=${id}`, key);
  return (await response.json()) as { billing_reason: string; status: number; cost: string };
}

describe("a stream that its budget ended", () => {
  test("is an answer of `length` to OpenAI's client of chat completions", async () => {
    const key = await hardKey();
    const client = new OpenAI({ baseURL: server.url, apiKey: key, maxRetries: 0 });
    const messages = [{ role: "user", content: LONG } as const];
    const options = { model, messages, stream_options: { include_usage: true } };
    const stream = client.chat.completions.stream(options);
    const answer = await stream.finalChatCompletion();
    const [choice] = answer.choices;
    expect(choice?.finish_reason).toBe("length");
    expect(answer.usage?.completion_tokens).toBeGreaterThan(100);
    await expectBudgetEnded(key, choice?.message.content ?? "");
    expect(await receiptOf(key, answer.id)).toMatchObject({
      billing_reason: "budget_ended",
      status: 200,
    });
  });

  test("is incomplete to its client of responses, and can be fetched and gone on from", async () => {
    const key = await hardKey();
    const client = new OpenAI({ baseURL: server.url, apiKey: key, maxRetries: 0 });
    const events: string[] = [];
    const stream = client.responses.stream({ model, input: LONG });
    stream.on("event", ({ type }) => events.push(type));
    const answer = await stream.finalResponse();
    expect(answer.status).toBe("incomplete");
    expect(answer.incomplete_details).toEqual({ reason: "max_output_tokens" });
    expect(events.slice(-4)).toEqual([
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.incomplete",
    ]);
    expect(answer.usage?.output_tokens).toBeGreaterThan(100);
    await expectBudgetEnded(key, answer.output_text);
    const kept = await client.responses.retrieve(answer.id);
    expect(kept.output_text).toBe(answer.output_text);
    expect(await receiptOf(key, answer.id)).toMatchObject({ billing_reason: "budget_ended" });
  });

  test("is one of `max_tokens` to Anthropic's", async () => {
    const key = await hardKey();
    const client = new Anthropic({ baseURL: root, apiKey: key, maxRetries: 0 });
    const messages = [{ role: "user", content: LONG } as const];
    const stream = client.messages.stream({ model, max_tokens: 16_000, messages });
    const answer = await stream.finalMessage();
    expect(answer.stop_reason).toBe("max_tokens");
    expect(answer.usage.output_tokens).toBeGreaterThan(100);
    const [block] = answer.content;
    await expectBudgetEnded(key, block?.type === "text" ? block.text : "");
  });

  test("is one of `MAX_TOKENS` to Google's", async () => {
    const key = await hardKey();
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: root } });
    const chunks = await client.models.generateContentStream({ model, contents: LONG });
    let text = "";
    let reason: string | undefined;
    for await (const chunk of chunks) {
      text += chunk.text ?? "";
      reason = chunk.candidates?.[0]?.finishReason ?? reason;
    }
    expect(reason).toBe("MAX_TOKENS");
    await expectBudgetEnded(key, text);
  });
});
