// The Vercel AI SDK by its three doors, against a real server process and the embedded vendor.
import { beforeEach, describe, expect, test } from "bun:test";
import { createOpenResponses } from "@ai-sdk/open-responses";
import { createOpenAI } from "@ai-sdk/openai";
import {
  APICallError,
  generateObject,
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamObject,
  streamText,
  type ToolSet,
  tool,
} from "ai";
import { count } from "../support/counts.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { type AnyObject, Chance, type InventedTool } from "./chance.ts";
import { blackPng } from "./png.ts";

const MODEL = "sandbox-1.0";
const NAME = "faregate";
const chance = new Chance();
// Its warnings are about its own models and its own future.
globalThis.AI_SDK_LOG_WARNINGS = false;
const { server } = await perFile(serve);

/** What the SDK has sent in the running test. */
const sent: string[] = [];
const fetchAndNote = Object.assign(
  (url: string | URL | Request, init?: RequestInit) => {
    sent.push(String(init?.body));
    return fetch(url, init);
  },
  { preconnect: fetch.preconnect },
);

const access = { apiKey: server.firstKey, fetch: fetchAndNote };
const openai = createOpenAI({ baseURL: server.url, ...access });
const openResponses = createOpenResponses({
  name: NAME,
  url: `${server.url}/responses`,
  ...access,
});

beforeEach(() => {
  sent.length = 0;
});

type How = "whole" | "stream";
type Options = Parameters<typeof generateText>[0];

/** One result, however it came. An error part of a stream is thrown as the whole call would throw. */
async function generate(how: How, options: Options) {
  const settings = { maxRetries: 0, ...options };
  if (how === "whole") {
    const result = await generateText(settings);
    const { text, steps, finishReason, usage, reasoningText, sources, output } = result;
    const { messages } = result.response;
    return { text, steps, finishReason, usage, reasoningText, sources, output, messages };
  }
  const result = streamText({ ...settings, onError: () => undefined });
  let deltas = "";
  for await (const part of result.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") deltas += part.text;
  }
  const steps = await result.steps;
  expect(deltas).toBe(steps.map((step) => step.text).join(""));
  return {
    text: await result.text,
    steps,
    finishReason: await result.finishReason,
    usage: await result.usage,
    reasoningText: await result.reasoningText,
    sources: await result.sources,
    output: await result.output,
    messages: (await result.response).messages,
  };
}

/** A tool for the SDK that notes what it was given and returns an invented word. */
function runnable(invented: InventedTool) {
  const result = chance.name();
  const inputs: unknown[] = [];
  const definition = tool({
    description: invented.description,
    inputSchema: invented.schema,
    execute: (input: unknown) => {
      inputs.push(input);
      return { [invented.property]: result };
    },
  });
  const tools: ToolSet = { [invented.name]: definition };
  return { tools, inputs, result };
}

async function objectOf(
  how: How,
  options: { model: LanguageModel; schema: AnyObject; prompt: string },
): Promise<unknown> {
  if (how === "whole") return (await generateObject(options)).object;
  const result = streamObject(options);
  let last: unknown;
  for await (const partial of result.partialObjectStream) last = partial;
  expect(last).toEqual(await result.object);
  return last;
}

function parsed(schema: AnyObject, value: unknown): string | undefined {
  return schema.strict().safeParse(value).error?.message;
}

const DOORS: readonly [string, LanguageModel, How][] = (["whole", "stream"] as const).flatMap(
  (how): [string, LanguageModel, How][] => [
    [`@ai-sdk/openai responses, ${how}`, openai.responses(MODEL), how],
    [`@ai-sdk/openai chat, ${how}`, openai.chat(MODEL), how],
    [`@ai-sdk/open-responses, ${how}`, openResponses(MODEL), how],
  ],
);

describe.each(DOORS)(`%s, seed ${chance.seed}`, (_, model, how) => {
  test("generates text", async () => {
    const phrase = `${chance.word()} ${chance.word()} ${chance.word()}`;
    const result = await generate(how, {
      model,
      system: `The assistant is called ${chance.name()}.`,
      prompt: `Reply with exactly "${phrase}".`,
    });
    expect(result.text).toBe(phrase);
    expect(result.finishReason).toBe("stop");
    const { inputTokens = 0, outputTokens = 0, totalTokens } = result.usage;
    expect(inputTokens).toBeGreaterThan(0);
    expect(outputTokens).toBeGreaterThan(0);
    expect(totalTokens).toBe(inputTokens + outputTokens);
  });

  test("goes through a tool loop of several steps", async () => {
    const [first, second] = [chance.tool(), chance.tool()];
    const [one, two] = [runnable(first), runnable(second)];
    const names = [first.name, second.name];
    const result = await generate(how, {
      model,
      tools: { ...one.tools, ...two.tools },
      prompt: `${first.message} ${second.message}`,
      stopWhen: isStepCount(6),
      prepareStep: ({ stepNumber }) => {
        const toolName = names[stepNumber];
        return toolName ? { toolChoice: { type: "tool", toolName } } : {};
      },
    });
    const calls = result.steps.map((step) => step.toolCalls.map((call) => call.toolName));
    expect(calls).toEqual([[first.name], [second.name], []]);
    expect(parsed(first.schema, one.inputs[0])).toBeUndefined();
    expect(parsed(second.schema, two.inputs[0])).toBeUndefined();
    expect(result.text).toContain(one.result);
    expect(result.text).toContain(two.result);
    expect(result.finishReason).toBe("stop");
  });

  test("calls a tool several times in one step", async () => {
    const invented = chance.severalCalls();
    const { tools, inputs } = runnable(invented);
    const prompt = invented.message;
    const result = await generate(how, { model, tools, prompt, stopWhen: isStepCount(3) });
    expect(inputs).toEqual(invented.values.map((value) => ({ [invented.property]: value })));
    expect(result.steps).toHaveLength(2);
  });

  test("recalls earlier turns", async () => {
    const [thing, value] = [chance.word(), chance.name()];
    const messages: ModelMessage[] = [{ role: "user", content: `My ${thing} is called ${value}.` }];
    const first = await generate(how, { model, messages });
    messages.push(...first.messages, { role: "user", content: `What is my ${thing} called?` });
    const second = await generate(how, { model, messages });
    expect(second.text).toContain(value);
  });

  test("fills a schema by output, generateObject and streamObject", async () => {
    for (let i = 0; i < count(1, 3); i++) {
      const schema = chance.schema();
      const prompt = `Describe ${chance.name()}.`;
      const output = Output.object({ schema });
      const text = await generate(how, { model, prompt, output } as unknown as Options);
      expect(parsed(schema, text.output)).toBeUndefined();
      const object = await objectOf(how, { model, schema, prompt });
      expect(parsed(schema, object)).toBeUndefined();
    }
  });

  test("looks at an image", async () => {
    const [width, height] = [100 + chance.below(100), 200 + chance.below(100)];
    const image = blackPng(width, height);
    const result = await generate(how, {
      model,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "How large is this picture?" },
            { type: "file", mediaType: "image/png", data: image },
          ],
        },
      ],
    });
    expect(result.text).toContain(String(width));
    expect(result.text).toContain(String(height));
  });

  test("reasons when asked to", async () => {
    const reasoning = { reasoningEffort: "high", reasoningSummary: "auto" };
    const result = await generate(how, {
      model,
      prompt: `Why is ${chance.word()} better than ${chance.word()}?`,
      providerOptions: { openai: { ...reasoning, forceReasoning: true }, [NAME]: reasoning },
    });
    expect(result.usage.outputTokenDetails.reasoningTokens).toBeGreaterThan(0);
    expect(result.text).not.toBe("");
    // The chat wire has no agreed place for thoughts, and this provider reads none.
    const chat = sent[0]?.includes('"messages"');
    if (!chat) expect(result.reasoningText).toBeTruthy();
  });

  test("says when a token limit cut the answer", async () => {
    const result = await generate(how, {
      model,
      prompt: `Tell a long story about ${chance.name()}.`,
      maxOutputTokens: 20,
    });
    expect(result.finishReason).toBe("length");
    expect(result.usage.outputTokens).toBe(20);
  });

  test("throws what may be tried again apart from what may not", async () => {
    const prompt = chance.word();
    const busy = await generate(how, { model, prompt, headers: { "x-sandbox-fault": "http_500" } })
      .then(() => undefined)
      .catch((error: unknown) => error);
    expect(APICallError.isInstance(busy)).toBe(true);
    expect(busy).toMatchObject({ statusCode: 503, isRetryable: true });
    const wrong = await generate(how, { model, prompt, temperature: 3 })
      .then(() => undefined)
      .catch((error: unknown) => error);
    expect(APICallError.isInstance(wrong)).toBe(true);
    expect(wrong).toMatchObject({ statusCode: 400, isRetryable: false });
  });
});

describe.each(DOORS.filter(([, , how]) => how === "stream"))(
  `%s, seed ${chance.seed}`,
  (_, model, how) => {
    test("shows a stream that broke off as an error", async () => {
      const headers = { "x-sandbox-fault": "cut_after=6" };
      const broken = generate(how, { model, prompt: `Describe ${chance.name()}.`, headers })
        .then(() => "it went through")
        .catch((error: unknown) => JSON.stringify(error) + String(error));
      expect(await broken).toContain("upstream model service is unavailable");
    });
  },
);

/** The kinds of items in the body that the SDK sent last. */
function lastItems(): string[] {
  const { input } = JSON.parse(sent.at(-1) ?? "{}") as { input: { type?: string; id?: string }[] };
  return input.map((item) => `${item.type ?? "message"} ${item.id ?? ""}`.trim());
}

describe.each(["whole", "stream"] as const)(
  `@ai-sdk/openai responses only, %s, seed ${chance.seed}`,
  (how) => {
    const model = openai.responses(MODEL);

    test("sends references to stored text and gets an answer", async () => {
      const phrase = `the ${chance.word()} weighs ${chance.name()}`;
      const messages: ModelMessage[] = [
        { role: "user", content: `Reply with exactly "${phrase}".` },
      ];
      const first = await generate(how, { model, messages });
      const question = `What does the ${phrase.split(" ")[1]} weigh?`;
      messages.push(...first.messages, { role: "user", content: question });
      const second = await generate(how, { model, messages });
      expect(lastItems().filter((item) => item.startsWith("item_reference msg_"))).toHaveLength(1);
      expect(second.text).toContain(phrase);
    });

    test.each([true, false])("carries reasoning through a tool loop, store %p", async (store) => {
      const invented = chance.tool();
      const { tools, result } = runnable(invented);
      const answer = await generate(how, {
        model,
        tools,
        prompt: invented.message,
        stopWhen: isStepCount(3),
        providerOptions: {
          openai: {
            reasoningEffort: "low",
            reasoningSummary: "auto",
            forceReasoning: true,
            ...(store ? {} : { store: false, include: ["reasoning.encrypted_content"] }),
          },
        },
      });
      expect(answer.steps).toHaveLength(2);
      expect(answer.text).toContain(result);
      const carried = lastItems().find((item) => item.includes(" rs_"));
      expect(carried).toStartWith(store ? "item_reference" : "reasoning");
    });

    test("continues by previousResponseId", async () => {
      const [thing, value] = [chance.word(), chance.name()];
      const first = await generate(how, { model, prompt: `My ${thing} is called ${value}.` });
      const { responseId } = first.steps[0]?.providerMetadata?.openai ?? {};
      const second = await generate(how, {
        model,
        prompt: `What is my ${thing} called?`,
        providerOptions: { openai: { previousResponseId: String(responseId) } },
      });
      expect(second.text).toContain(value);
    });

    test("searches the web and cites", async () => {
      const result = await generate(how, {
        model,
        prompt: `Search the web: what is new about ${chance.name()}?`,
        tools: { web_search: openai.tools.webSearch({}) },
      });
      expect(result.sources.length).toBeGreaterThan(0);
      const calls = result.steps.flatMap((step) => step.toolCalls);
      expect(calls).toMatchObject([{ toolName: "web_search", providerExecuted: true }]);
    });
  },
);
