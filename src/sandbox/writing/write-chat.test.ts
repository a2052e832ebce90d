import { expect, test } from "bun:test";
import { planAnswer } from "../answering/answer.ts";
import { createIds } from "../ids.ts";
import type { JsonRecord } from "../json.ts";
import { readChatPrompt } from "../reading/read-chat.ts";
import { writeChunks, writeCompletion } from "./write-chat.ts";

interface Chunk {
  readonly id: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: JsonRecord;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: JsonRecord | null;
}

function jobFor(fields: JsonRecord) {
  const messages = [{ role: "user", content: "Hello there" }];
  const prompt = readChatPrompt({ model: "sandbox-1.0", messages, ...fields });
  const answer = planAnswer(prompt);
  const counts = { input: 2, output: answer.outputTokens, reasoning: answer.reasoningTokens };
  return { prompt, answer, counts, makeId: createIds(Math.random), nowMs: 1_000 };
}

function chunksFor(fields: JsonRecord): Chunk[] {
  const texts = [...writeChunks(jobFor(fields))];
  expect(texts.pop()).toBe("data: [DONE]\n\n");
  return texts.map((text) => JSON.parse(text.replace(/^data: /, "")) as Chunk);
}

test("the role comes first, the finish reason last, and usage only when asked for", () => {
  const plain = chunksFor({});
  expect(plain[0]?.choices[0]?.delta.role).toBe("assistant");
  expect(plain.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  expect(plain.every((chunk) => !("usage" in chunk))).toBe(true);
  expect(new Set(plain.map((chunk) => chunk.id)).size).toBe(1);
  const metered = chunksFor({ stream_options: { include_usage: true } });
  expect(metered.at(-1)?.choices).toEqual([]);
  expect(metered.at(-1)?.usage).toMatchObject({ prompt_tokens: 2 });
  expect(metered.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
});

test("every choice is streamed under its own index", () => {
  const finished = chunksFor({ n: 3 }).flatMap((chunk) => chunk.choices);
  const ends = finished.filter((choice) => choice.finish_reason !== null);
  expect(ends.map((choice) => choice.index)).toEqual([0, 1, 2]);
});

test("an answer ends where its log probabilities would be too many", () => {
  const messages = [{ role: "user", content: "Write 5000 words" }];
  const tokensOf = (fields: JsonRecord) => {
    const { choices } = writeCompletion(jobFor({ messages, logprobs: true, ...fields }));
    return (choices as { logprobs: { content: unknown[] }; finish_reason: string }[]).map(
      (choice) => [choice.logprobs.content.length, choice.finish_reason],
    );
  };
  expect(tokensOf({ n: 8, top_logprobs: 20 })).toEqual(Array(8).fill([595, "length"]));
  expect(tokensOf({ top_logprobs: 2 })[0]?.[1]).toBe("stop");
});

test("reasoning is kept apart from the answer", () => {
  const deltas = chunksFor({ reasoning_effort: "low" }).map((chunk) => chunk.choices[0]?.delta);
  const thought = deltas.map((delta) => delta?.reasoning_content ?? "").join("");
  const said = deltas.map((delta) => delta?.content ?? "").join("");
  const whole = writeCompletion(jobFor({ reasoning_effort: "low" }));
  expect(whole.choices).toMatchObject([{ message: { reasoning_content: thought, content: said } }]);
  expect(thought).not.toBe("");
});

test("a model that cannot reason does not", () => {
  const { answer } = jobFor({ model: "sandbox-mini-1.0", reasoning_effort: "high" });
  expect(answer.parts.map((part) => part.kind)).toEqual(["text"]);
});

test("a custom tool is called with plain text", () => {
  const tools = [{ type: "custom", custom: { name: "run_script" } }];
  const whole = writeCompletion(jobFor({ tools, tool_choice: "required" }));
  expect(whole.choices).toMatchObject([
    {
      finish_reason: "tool_calls",
      message: {
        content: null,
        tool_calls: [{ type: "custom", custom: { input: "Hello there" } }],
      },
    },
  ]);
});

test("JSON mode answers with an object that has the keys asked for", () => {
  const contentFor = (content: string): unknown => {
    const messages = [{ role: "user", content }];
    const job = jobFor({ messages, response_format: { type: "json_object" } });
    const [part] = job.answer.parts;
    return JSON.parse(part?.kind === "text" ? part.tokens.join("") : "");
  };
  expect(contentFor('JSON with keys "hull" and "mast"')).toContainAllKeys(["hull", "mast"]);
  expect(contentFor('Return {"wet": true} as JSON')).toEqual({ wet: true });
  expect(contentFor("Anything as JSON")).toContainKey("answer");
});
