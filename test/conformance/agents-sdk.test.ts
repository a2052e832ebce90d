// The OpenAI Agents SDK on both wires, against a real server process and the embedded vendor.
import { describe, expect, test } from "bun:test";
import {
  Agent,
  type AgentInputItem,
  type Model,
  ModelBehaviorError,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import OpenAI from "openai";
import { count } from "../support/counts.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { Chance, type InventedTool } from "./chance.ts";

const MODEL = "sandbox-1.0";
const chance = new Chance();
const { server } = await perFile(serve);
const client = new OpenAI({ baseURL: server.url, apiKey: server.firstKey, maxRetries: 0 });
// Traces would go to the vendor's own address.
setTracingDisabled(true);

type How = "whole" | "stream";
type Input = string | AgentInputItem[];

interface RunOptions {
  readonly previousResponseId?: string;
}

/** Runs to the end; the text of a stream must be the text of its result. */
async function runAgent(how: How, agent: Agent, input: Input, options: RunOptions = {}) {
  const settings = { maxTurns: 5, ...options };
  if (how === "whole") return run(agent, input, { ...settings, stream: false });
  const result = await run(agent, input, { ...settings, stream: true });
  let text = "";
  for await (const event of result) {
    if (event.type !== "raw_model_stream_event") continue;
    if (event.data.type === "output_text_delta") text += event.data.delta;
  }
  await result.completed;
  expect(text).toEndWith(String(result.finalOutput));
  return result;
}

/** A tool for the SDK that notes what it was given and returns an invented word. */
function runnable(invented: InventedTool) {
  const result = chance.name();
  const inputs: unknown[] = [];
  const { name, description, schema } = invented;
  const definition = tool({
    name,
    description,
    parameters: schema,
    execute: (input: unknown) => {
      inputs.push(input);
      return result;
    },
  });
  return { definition, inputs, result };
}

const responses: Model = new OpenAIResponsesModel(client, MODEL);
const chat: Model = new OpenAIChatCompletionsModel(client, MODEL);
const WAYS: readonly [string, Model, How][] = [
  ["responses, whole", responses, "whole"],
  ["responses, stream", responses, "stream"],
  ["chat, whole", chat, "whole"],
  ["chat, stream", chat, "stream"],
];

describe.each(WAYS)(`%s, seed ${chance.seed}`, (_, model, how) => {
  test("answers", async () => {
    const phrase = `${chance.word()} ${chance.word()}`;
    const agent = new Agent({ name: chance.name(), instructions: "Be exact.", model });
    const result = await runAgent(how, agent, `Reply with exactly "${phrase}".`);
    expect(result.finalOutput).toBe(phrase);
    expect(result.rawResponses).toHaveLength(1);
    expect(result.rawResponses[0]?.usage.totalTokens).toBeGreaterThan(0);
  });

  test("runs the tools it is asked to run and uses their results", async () => {
    const [first, second] = [chance.tool(), chance.tool()];
    const [one, two] = [runnable(first), runnable(second)];
    const agent = new Agent({
      name: chance.name(),
      instructions: "Be exact.",
      model,
      tools: [one.definition, two.definition],
    });
    const result = await runAgent(how, agent, `${first.message} ${second.message}`);
    expect(first.schema.strict().safeParse(one.inputs[0]).error).toBeUndefined();
    expect(second.schema.strict().safeParse(two.inputs[0]).error).toBeUndefined();
    expect([one.inputs.length, two.inputs.length]).toEqual([1, 1]);
    expect(result.finalOutput).toContain(one.result);
    expect(result.finalOutput).toContain(two.result);
    expect(result.rawResponses).toHaveLength(2);
  });

  test("calls one tool several times in one turn", async () => {
    const invented = chance.severalCalls();
    const { definition, inputs } = runnable(invented);
    const agent = new Agent({ name: chance.name(), model, tools: [definition] });
    await runAgent(how, agent, invented.message);
    expect(inputs).toEqual(invented.values.map((value) => ({ [invented.property]: value })));
  });

  test("hands over to another agent", async () => {
    const invented = chance.tool();
    const { definition, result } = runnable(invented);
    const expert = new Agent({
      name: chance.name(),
      handoffDescription: `Knows everything about ${invented.property}.`,
      model,
      tools: [definition],
      modelSettings: { toolChoice: "required" },
    });
    const clerk = new Agent({
      name: chance.name(),
      model,
      handoffs: [expert],
      modelSettings: { toolChoice: "required" },
    });
    const answer = await runAgent(how, clerk, invented.message);
    expect(answer.lastAgent?.name).toBe(expert.name);
    expect(answer.finalOutput).toContain(result);
  });

  test("fills an output type", async () => {
    for (let i = 0; i < count(1, 3); i++) {
      const schema = chance.schema();
      const agent = new Agent({ name: chance.name(), model, outputType: schema });
      const stream = how === "stream";
      const result = stream
        ? await run(agent, `Describe ${chance.name()}.`, { stream: true })
        : await run(agent, `Describe ${chance.name()}.`);
      if ("completed" in result) await result.completed;
      expect(schema.strict().safeParse(result.finalOutput).error).toBeUndefined();
    }
  });

  test("goes on from its own history", async () => {
    const [thing, value] = [chance.word(), chance.name()];
    const agent = new Agent({ name: chance.name(), model });
    const first = await runAgent(how, agent, `My ${thing} is called ${value}.`);
    const question: AgentInputItem = { role: "user", content: `What is my ${thing} called?` };
    const second = await runAgent(how, agent, [...first.history, question]);
    expect(second.finalOutput).toContain(value);
  });

  test("reasons and calls a tool in one turn", async () => {
    const invented = chance.tool();
    const { definition, result } = runnable(invented);
    const agent = new Agent({
      name: chance.name(),
      model,
      tools: [definition],
      modelSettings: { reasoning: { effort: "medium", summary: "auto" } },
    });
    const answer = await runAgent(how, agent, invented.message);
    expect(answer.finalOutput).toContain(result);
  });
});

describe.each(WAYS.filter(([, model]) => model === responses))(
  `only %s, seed ${chance.seed}`,
  (_, model, how) => {
    test("goes on by previousResponseId, tools included", async () => {
      const [thing, value] = [chance.word(), chance.name()];
      const invented = chance.tool();
      const { definition, result } = runnable(invented);
      const agent = new Agent({ name: chance.name(), model, tools: [definition] });
      const first = await runAgent(how, agent, `My ${thing} is called ${value}.`);
      const second = await runAgent(how, agent, invented.message, {
        previousResponseId: first.lastResponseId ?? "none",
      });
      expect(second.finalOutput).toContain(result);
      const third = await runAgent(how, agent, `What is my ${thing} called?`, {
        previousResponseId: second.lastResponseId ?? "none",
      });
      expect(third.finalOutput).toContain(value);
    });
  },
);

test(`a stream that broke off is an error, seed ${chance.seed}`, async () => {
  const broken = client.withOptions({ defaultHeaders: { "x-sandbox-fault": "cut_after=6" } });
  for (const model of [
    new OpenAIResponsesModel(broken, MODEL),
    new OpenAIChatCompletionsModel(broken, MODEL),
  ]) {
    const agent = new Agent({ name: chance.name(), model });
    const failed = await runAgent("stream", agent, `Describe ${chance.name()}.`)
      .then(() => undefined)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(failed).not.toBeInstanceOf(ModelBehaviorError);
    expect(String(failed)).toContain("upstream model service is unavailable");
  }
});
