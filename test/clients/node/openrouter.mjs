// The OpenRouter provider of the AI SDK: a whole answer, a stream and a tool, each with its cost.
import assert from "node:assert/strict";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const openrouter = createOpenRouter({
  apiKey: process.env.FAREGATE_KEY,
  baseURL: `${process.env.FAREGATE_URL}/api/v1`,
});
const model = openrouter.chat(process.env.FAREGATE_MODEL, { usage: { include: true } });

function assertCost(providerMetadata) {
  const { cost } = providerMetadata.openrouter.usage;
  assert(cost > 0, `no cost: ${JSON.stringify(providerMetadata)}`);
}

const whole = await generateText({ model, prompt: "Say hello." });
assert.equal(whole.finishReason, "stop");
assert.notEqual(whole.text, "");
assertCost(whole.providerMetadata);

const stream = streamText({ model, prompt: "Say hello." });
let streamed = "";
for await (const part of stream.textStream) streamed += part;
assert.equal(streamed, whole.text);
assert.equal(await stream.finishReason, "stop");
assertCost(await stream.providerMetadata);

const called = [];
const getWeather = tool({
  description: "Get the weather of a city.",
  inputSchema: z.object({ city: z.string() }),
  execute({ city }) {
    called.push(city);
    return "It is 21 degrees and sunny.";
  },
});
const last = await generateText({
  model,
  tools: { get_weather: getWeather },
  stopWhen: stepCountIs(6),
  prompt: "Use get_weather: what is the weather in Paris?",
});
assert.equal(called.length, 1);
assert.equal(last.finishReason, "stop");
assert.notEqual(last.text, "");
assertCost(last.providerMetadata);
console.log(last.text);
