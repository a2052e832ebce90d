// The tool runner of the Anthropic SDK: a tool is called, and the answer has its result.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";

const client = new Anthropic({
  apiKey: process.env.FAREGATE_KEY,
  baseURL: process.env.FAREGATE_URL,
});
const called = [];
const getWeather = betaTool({
  name: "get_weather",
  description: "Get the weather of a city.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  },
  run({ city }) {
    called.push(city);
    return "It is 21 degrees and sunny.";
  },
});

const last = await client.beta.messages.toolRunner({
  model: process.env.FAREGATE_MODEL,
  max_tokens: 1024,
  tools: [getWeather],
  messages: [{ role: "user", content: "Use get_weather: what is the weather in Paris?" }],
});
const text = last.content.map((block) => (block.type === "text" ? block.text : "")).join("");
assert.equal(called.length, 1);
assert.equal(last.stop_reason, "end_turn");
assert.notEqual(text, "");
console.log(text);
