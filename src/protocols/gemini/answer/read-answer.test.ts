import { describe, expect, test } from "bun:test";
import type { Answer, CanonEvent } from "../../canon.ts";
import { unseal } from "../../envelope.ts";
import { NO_USAGE } from "../../usage.ts";
import { GeminiReader, readGeminiAnswer } from "./read-answer.ts";

// Chunks and answers are written by hand from the vendor's documented shapes.
interface Shape {
  readonly finish?: string;
  readonly usage?: object;
  readonly candidate?: object;
}

function chunk(parts: object[], { finish, usage, candidate }: Shape = {}) {
  return {
    candidates: [
      {
        content: { parts, role: "model" },
        ...(finish ? { finishReason: finish } : {}),
        index: 0,
        ...candidate,
      },
    ],
    usageMetadata: { promptTokenCount: 7, totalTokenCount: 7, ...usage },
    modelVersion: "gemini-2.5-pro",
    responseId: "resp-1",
  };
}

function stream(...chunks: unknown[]): CanonEvent[] {
  const reader = new GeminiReader();
  const text = chunks.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`).join("");
  return [...reader.push(Buffer.from(text)), ...reader.close()];
}

function answer(...args: Parameters<typeof chunk>): Answer {
  return readGeminiAnswer(chunk(...args));
}

function types(events: readonly CanonEvent[]): string[] {
  return events.map((event) => event.type);
}

function items(events: readonly CanonEvent[]) {
  return events.flatMap((event) => (event.type === "item_done" ? [event.item] : []));
}

const DONE = { finish: "STOP", usage: { candidatesTokenCount: 3, thoughtsTokenCount: 2 } };
const CALL = { functionCall: { name: "f", args: { x: 1 } } };

test("documented text chunks are one message, told once the stream is closed", () => {
  const events = stream(chunk([{ text: "Hel" }]), chunk([{ text: "lo" }], DONE));
  expect(events).toEqual([
    { type: "begin", id: "resp-1" },
    { type: "usage", usage: { ...NO_USAGE, fresh: 7 } },
    { type: "item", item: { type: "message", role: "assistant", parts: [] } },
    { type: "text", delta: "Hel" },
    { type: "usage", usage: { ...NO_USAGE, fresh: 7, output: 5, reasoning: 2 } },
    { type: "text", delta: "lo" },
    {
      type: "item_done",
      item: { type: "message", role: "assistant", parts: [{ type: "text", text: "Hello" }] },
    },
    {
      type: "end",
      usage: { ...NO_USAGE, fresh: 7, output: 5, reasoning: 2 },
      status: "completed",
    },
  ]);
});

test("a documented whole answer has the items of its stream", () => {
  const { id, items: found, status, usage } = answer([{ text: "Hello" }], DONE);
  expect([id, status, usage?.output]).toEqual(["resp-1", "completed", 5]);
  expect(found).toEqual([
    { type: "message", role: "assistant", parts: [{ type: "text", text: "Hello" }] },
  ]);
});

describe("behind the last chunk of a stream", () => {
  const text = [chunk([{ text: "Hello" }], DONE)].map(
    (each) => `data: ${JSON.stringify(each)}\n\n`,
  );

  test("the end marker of another wire says nothing", () => {
    const reader = new GeminiReader();
    const events = reader.push(Buffer.from(`${text}data: [DONE]\n\n`));
    expect([...events, ...reader.close()]).toEqual(stream(chunk([{ text: "Hello" }], DONE)));
  });

  test("nothing is looked at that comes behind an error in the same read", () => {
    const reader = new GeminiReader();
    const error = { error: { code: 400, message: "no", status: "INVALID_ARGUMENT" } };
    const events = reader.push(Buffer.from(`data: ${JSON.stringify(error)}\n\ndata: goodbye\n\n`));
    expect(types(events)).toEqual(["failed"]);
  });
});

describe("documented calls", () => {
  test("come whole, each with an id of its own", () => {
    const same = { functionCall: { ...CALL.functionCall, id: "one" } };
    const events = stream(chunk([same]), chunk([same, CALL], DONE));
    const calls = items(events);
    expect(types(events).slice(2, 5)).toEqual(["item", "arguments", "item_done"]);
    expect(calls).toMatchObject([
      { type: "call", callId: "one", name: "f", custom: false, arguments: '{"x":1}' },
      { type: "call", arguments: '{"x":1}' },
      { type: "call", arguments: '{"x":1}' },
    ]);
    const ids = calls.map((item) => item.type === "call" && item.callId);
    expect(new Set(ids).size).toBe(3);
  });

  test("without arguments have an empty object", () => {
    expect(answer([{ functionCall: { name: "f" } }], DONE).items).toMatchObject([
      { arguments: "{}" },
    ]);
  });

  test("carry their signature in the thought before them", () => {
    const [reasoning, call, second] = answer(
      [{ text: "hm", thought: true }, { ...CALL, thoughtSignature: "c2ln" }, CALL],
      DONE,
    ).items;
    if (reasoning?.type !== "reasoning" || call?.type !== "call") throw new Error("wrong items");
    expect(reasoning.summary).toEqual(["hm"]);
    expect(unseal("gemini", reasoning.sealed)).toMatchObject({
      signature: "c2ln",
      call: call.callId,
    });
    expect(second?.type).toBe("call");
  });

  test("carry it in an item of its own where no thought is shown", () => {
    const events = stream(
      chunk([{ text: "ok" }]),
      chunk([{ ...CALL, thoughtSignature: "c2ln" }], DONE),
    );
    expect(items(events)).toMatchObject([
      { type: "message" },
      { type: "reasoning", summary: [] },
      { type: "call" },
    ]);
  });
});

describe("documented signatures of texts", () => {
  test("stand before a text that comes whole", () => {
    const [reasoning, message] = answer([{ text: "so", thoughtSignature: "c2ln" }], DONE).items;
    const sealed = reasoning?.type === "reasoning" ? reasoning.sealed : undefined;
    expect(unseal("gemini", sealed)).toMatchObject({ signature: "c2ln", text: true });
    expect(message?.type).toBe("message");
  });

  test("stand behind a text that was streamed", () => {
    const last = chunk([{ text: "", thoughtSignature: "c2ln" }], DONE);
    const [message, reasoning] = items(stream(chunk([{ text: "so" }]), last));
    const sealed = reasoning?.type === "reasoning" ? reasoning.sealed : undefined;
    expect(message?.type).toBe("message");
    expect(unseal("gemini", sealed)?.part).toEqual({ text: "", thoughtSignature: "c2ln" });
  });

  test("of a thought itself stay with it", () => {
    const parts = [{ text: "hm", thought: true, thoughtSignature: "c2ln" }, { text: "so" }];
    const [reasoning] = answer(parts, DONE).items;
    const sealed = reasoning?.type === "reasoning" ? reasoning.sealed : undefined;
    expect(unseal("gemini", sealed)).toEqual({ signature: "c2ln", origin: "gemini" });
  });
});

test("documented uses of the vendor's own tools are kept to be sent again", () => {
  const part = { toolCall: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", args: {} } };
  const [reasoning] = answer([part, { text: "so" }], DONE).items;
  const sealed = reasoning?.type === "reasoning" ? reasoning.sealed : undefined;
  expect(unseal("gemini", sealed)?.part).toEqual(part);
});

describe("documented grounding", () => {
  const groundingMetadata = {
    webSearchQueries: ["euro 2024 winner", "euro 2024 final"],
    groundingChunks: [{ web: { uri: "https://a.example", title: "A" } }],
    groundingSupports: [
      // The vendor counts bytes: "España " has eight of them.
      { segment: { startIndex: 8, endIndex: 13, text: "ganó" }, groundingChunkIndices: [0] },
    ],
  };
  const citation = {
    type: "url_citation",
    start_index: 7,
    end_index: 11,
    url: "https://a.example",
  };

  test("is searches and citations, the citations in characters", () => {
    const grounded = answer([{ text: "España ganó." }], {
      ...DONE,
      candidate: { groundingMetadata },
    });
    expect(grounded.usage?.webSearches).toBe(2);
    expect(grounded.items).toMatchObject([
      {
        type: "search",
        status: "completed",
        action: {
          query: "euro 2024 winner",
          sources: [{ type: "url", url: "https://a.example" }],
        },
      },
      { type: "search", action: { query: "euro 2024 final" } },
      { type: "message", parts: [{ annotations: [{ ...citation, title: "A" }] }] },
    ]);
  });

  test("that is told again with every chunk counts once", () => {
    const grounded = { ...DONE, candidate: { groundingMetadata } };
    const early = { candidate: { groundingMetadata } };
    const events = stream(
      chunk([{ text: "España" }]),
      chunk([{ text: " gan" }], early),
      chunk([{ text: "ó" }], grounded),
    );
    expect(items(events).map(({ type }) => type)).toEqual(["message", "search", "search"]);
    expect(types(events).filter((type) => type === "annotation")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "end", usage: { webSearches: 2 } });
  });
});

test("documented log probabilities go with the text of their chunk", () => {
  const logprobsResult = {
    chosenCandidates: [{ token: "Hé", logProbability: -0.1, tokenId: 5 }],
    topCandidates: [{ candidates: [{ token: "Hé", logProbability: -0.1 }] }],
  };
  const told = { token: "Hé", logprob: -0.1, bytes: [72, 195, 169] };
  const logprobs = [{ ...told, top_logprobs: [told] }];
  const shape = { ...DONE, candidate: { logprobsResult } };
  const events = stream(chunk([{ text: "Hé" }], shape));
  expect(events).toContainEqual({ type: "text", delta: "Hé", logprobs });
  expect(answer([{ text: "Hé" }], shape).items).toMatchObject([{ parts: [{ logprobs }] }]);
});

describe("documented finish reasons", () => {
  test.each([
    ["STOP", "completed", undefined],
    ["MAX_TOKENS", "incomplete", "max_output_tokens"],
    ["SAFETY", "incomplete", "content_filter"],
    ["RECITATION", "incomplete", "content_filter"],
    ["BLOCKLIST", "incomplete", "content_filter"],
    ["PROHIBITED_CONTENT", "incomplete", "content_filter"],
    ["SPII", "incomplete", "content_filter"],
    ["LANGUAGE", "incomplete", "content_filter"],
    ["IMAGE_SAFETY", "incomplete", "content_filter"],
  ])("%s ends an answer as %s", (finish, status, reason) => {
    const end = stream(chunk([{ text: "a" }], { finish })).at(-1);
    expect(end).toMatchObject({ type: "end", status, ...(reason ? { reason } : {}) });
    expect(answer([{ text: "a" }], { finish }).status as string).toBe(status);
  });

  test.each([
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "OTHER",
    "NEW",
  ])("%s is a failure, with what it used", (finish) => {
    const failed = stream(chunk([{ text: "a" }], { ...DONE, finish })).at(-1);
    expect(failed).toMatchObject({ type: "failed", usage: { output: 5 } });
    const whole = answer([], { ...DONE, finish });
    expect([whole.failure?.status, whole.usage?.output]).toEqual([503, 5]);
  });
});

test("a documented block of the prompt is an empty answer that was filtered", () => {
  const blocked = {
    promptFeedback: { blockReason: "SAFETY" },
    usageMetadata: { promptTokenCount: 4 },
  };
  expect(stream(blocked).at(-1)).toMatchObject({
    type: "end",
    status: "incomplete",
    reason: "content_filter",
  });
  expect(readGeminiAnswer(blocked)).toMatchObject({
    items: [],
    status: "incomplete",
    reason: "content_filter",
    usage: { fresh: 4 },
  });
});

describe("documented failures", () => {
  const error = { error: { code: 503, message: "overloaded", status: "UNAVAILABLE" } };

  test.each([
    ["as an event", `data: ${JSON.stringify(error)}\n\n`],
    ["in a list", `data: ${JSON.stringify([error])}\n\n`],
    ["between events", JSON.stringify(error, undefined, 2)],
    ["between events in a list", `${JSON.stringify([error], undefined, 2)}\n`],
  ])("%s end the answer as failed, with the counts until then", (_, text) => {
    const reader = new GeminiReader();
    const first = `data: ${JSON.stringify(chunk([{ text: "a" }]))}\n\n`;
    const events = [...reader.push(Buffer.from(first + text)), ...reader.close()];
    expect(events.at(-1)).toMatchObject({ type: "failed", usage: { fresh: 7 } });
    expect(types(events).filter((type) => type === "failed" || type === "end")).toHaveLength(1);
  });

  test("that blame the request are told in the vendor's words", () => {
    const mine = { error: { code: 400, message: "bad schema", status: "INVALID_ARGUMENT" } };
    const failed = stream(mine).at(-1);
    expect(failed?.type === "failed" && failed.fault.message).toBe("bad schema");
    expect(readGeminiAnswer(mine).failure?.status).toBe(400);
  });

  test("by silence are failures too", () => {
    expect(types(stream(chunk([{ text: "a" }]))).at(-1)).toBe("failed");
    expect(types(stream())).toEqual(["failed"]);
    expect(() => readGeminiAnswer({ usageMetadata: {} })).toThrow("no candidates");
    expect(readGeminiAnswer({ candidates: [] }).failure?.status).toBe(503);
  });
});
