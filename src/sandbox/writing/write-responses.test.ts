import { expect, test } from "bun:test";
import fc from "fast-check";
import { planAnswer } from "../answering/answer.ts";
import { createIds } from "../ids.ts";
import type { JsonRecord } from "../json.ts";
import { readResponsesPrompt } from "../reading/read-responses.ts";
import { writeResponse, writeResponseEvents } from "./write-responses.ts";

/** The same chance for every run, so that the stream and the whole answer share their ids. */
function jobFor(fields: JsonRecord) {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const prompt = readResponsesPrompt({ model: "sandbox-1.0", ...fields });
  const answer = planAnswer(prompt);
  const counts = { input: 1, output: answer.outputTokens, reasoning: answer.reasoningTokens };
  return { prompt, answer, counts, makeId: createIds(random), nowMs: 1_700_000_000_500 };
}

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly delta?: string;
  readonly item?: { readonly id: string; readonly type: string };
  readonly response?: JsonRecord;
}

function eventsFor(fields: JsonRecord): Event[] {
  const texts = [...writeResponseEvents(jobFor(fields))];
  expect(texts.pop()).toBe("data: [DONE]\n\n");
  return texts.map((text) => {
    const match = /^event: (\S+)\ndata: (.+)\n\n$/.exec(text);
    const event = JSON.parse(match?.[2] ?? "{}") as Event;
    expect(event.type).toBe(match?.[1] ?? "");
    return event;
  });
}

const tools = [
  { type: "function", name: "tide_table", parameters: null },
  { type: "custom", name: "chart_note" },
  { type: "web_search" },
];
const requests = fc.record(
  {
    input: fc.constantFrom(
      "Hello",
      "What is new?",
      "Show the tide and the chart",
      "Write 40 words",
    ),
    max_output_tokens: fc.integer({ min: 1, max: 60 }),
    tools: fc.constant(tools),
    tool_choice: fc.constantFrom("auto", "none", "required"),
    reasoning: fc.constant({ effort: "low" }),
    top_logprobs: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: ["input"] },
);

test("every stream is a full lifecycle that ends in the whole answer", () => {
  fc.assert(
    fc.property(requests, (fields) => {
      const events = eventsFor(fields);
      expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
      const types = events.map((event) => event.type);
      expect(types.slice(0, 2)).toEqual(["response.created", "response.in_progress"]);
      expect(types.filter((type) => /^response\.(completed|incomplete)$/.test(type))).toHaveLength(
        1,
      );
      expect(events.at(-1)?.response).toEqual(writeResponse(jobFor(fields)));
    }),
  );
});

test("items open and close one at a time, in order, under one id", () => {
  fc.assert(
    fc.property(requests, (fields) => {
      let open: string | null = null;
      let count = 0;
      for (const event of eventsFor(fields)) {
        if (event.type === "response.output_item.added") {
          expect(open).toBeNull();
          expect(event.output_index).toBe(count);
          open = event.item?.id ?? "";
        } else if (event.type === "response.output_item.done") {
          expect(event.item?.id).toBe(open ?? "");
          open = null;
          count += 1;
        } else if (event.item_id !== undefined) {
          expect(event.item_id).toBe(open ?? "");
          expect(event.output_index).toBe(count);
        }
      }
      expect(open).toBeNull();
    }),
  );
});

test("usage stays within the limit and reasoning inside the output", () => {
  fc.assert(
    fc.property(requests, (fields) => {
      const { answer } = jobFor(fields);
      expect(answer.outputTokens).toBeLessThanOrEqual(fields.max_output_tokens ?? 10_000);
      expect(answer.reasoningTokens).toBeLessThanOrEqual(answer.outputTokens);
    }),
  );
});

test("a response has every field of the wire, with numbers where numbers belong", () => {
  const response = writeResponse(jobFor({ input: "x" }));
  const fields =
    "id object created_at completed_at status incomplete_details model previous_response_id " +
    "instructions output error tools tool_choice truncation parallel_tool_calls text top_p " +
    "presence_penalty frequency_penalty top_logprobs temperature reasoning usage " +
    "max_output_tokens max_tool_calls store background service_tier metadata " +
    "safety_identifier prompt_cache_key";
  expect(Object.keys(response).toSorted()).toEqual(fields.split(" ").toSorted());
  expect(response).toMatchObject({ temperature: 1, top_p: 1, top_logprobs: 0, store: true });
  expect(response.created_at).toBe(1_700_000_000);
});

test("what the request said is echoed", () => {
  const tool = { type: "function", name: "tide_table" };
  const response = writeResponse(
    jobFor({ input: "x", tools: [tool], temperature: 0.5, metadata: { a: "b" }, store: false }),
  );
  const echoed = { ...tool, description: null, parameters: null, strict: null };
  expect(response).toMatchObject({
    tools: [echoed],
    temperature: 0.5,
    metadata: { a: "b" },
    store: false,
  });
});
