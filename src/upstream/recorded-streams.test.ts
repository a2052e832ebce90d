import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { given } from "../../test/support/clients/given.ts";
import { count } from "../../test/support/counts.ts";
import { UPSTREAM_OPTIONS } from "../../test/support/samples/upstream-options.ts";
import { readConfig } from "../config/config.ts";
import { chatWire } from "../protocols/chat/wire.ts";
import { responsesWire } from "../protocols/responses/wire.ts";
import { NO_USAGE } from "../protocols/usage.ts";
import type { UpstreamOptions, Wire } from "../protocols/wire.ts";
import { createSandbox } from "../sandbox/sandbox.ts";

const { limits } = readConfig({});
const WIRES = { chat: chatWire(limits), responses: responsesWire(limits) };
const MODEL = "our-name-1.0";

function tool(name: string, field: string) {
  return { name, parameters: { type: "object", properties: { [field]: { type: "string" } } } };
}
const SPRING = tool("look_up_spring", "valley");
const RIVER = tool("measure_river", "bridge");

/** What is asked of the embedded vendor, on both wires. */
const CASES: Record<string, { prompt: string; chat?: object; responses?: object }> = {
  text: { prompt: "Tell me in two sentences why rivers bend." },
  unicode: { prompt: 'Repeat exactly: 漢字かな交じり — émoji 🎉👩‍🚀 \u0001 "quoted" \\ end' },
  tools: {
    prompt: "Use the tool for the valley of the Inn.",
    chat: { tools: [{ type: "function", function: SPRING }], tool_choice: "required" },
    responses: { tools: [{ type: "function", ...SPRING }], tool_choice: "required" },
  },
  "parallel tools": {
    prompt: "Call look_up_spring and measure_river, both.",
    chat: {
      tools: [SPRING, RIVER].map((each) => ({ type: "function", function: each })),
      tool_choice: "required",
    },
    responses: {
      tools: [SPRING, RIVER].map((each) => ({ type: "function", ...each })),
      tool_choice: "required",
    },
  },
  reasoning: {
    prompt: "Think, then answer: what is 17 times 23?",
    chat: { reasoning_effort: "high" },
    responses: { reasoning: { effort: "high", summary: "auto" } },
  },
  limit: {
    prompt: "Write a long story.",
    chat: { max_completion_tokens: 3 },
    responses: { max_output_tokens: 3 },
  },
  "usage asked": {
    prompt: "Hello.",
    chat: { stream_options: { include_usage: true } },
    responses: {},
  },
};

interface Recording {
  readonly wire: Wire;
  readonly request: ReturnType<Wire["readRequest"]>;
  readonly bytes: Uint8Array;
}

/** At most three deltas of a kind in a row: more of them show nothing new and cost time. */
function thinned(stream: string): string {
  let kind = "";
  let times = 0;
  return stream
    .split(/(?<=\n\n)/)
    .filter((event) => {
      const shape = event.replace(
        /"(?:delta|content|reasoning_content|arguments|text)":"(?:[^"\\]|\\.)*"|\d+/g,
        "",
      );
      times = shape === kind ? times + 1 : 1;
      kind = shape;
      return times <= 3;
    })
    .join("");
}

const recordings = new Map<string, Recording>();
const names = Object.keys(CASES).flatMap((name) =>
  ["", " with CRLF"].flatMap((form) => [`chat: ${name}${form}`, `responses: ${name}${form}`]),
);

beforeAll(async () => {
  const vendor = createSandbox({ now: () => 1_794_700_800_000 });
  for (const [name, { prompt, chat, responses }] of Object.entries(CASES)) {
    const bodies = {
      chat: {
        model: "sandbox-1.0",
        messages: [{ role: "user", content: prompt }],
        stream: true,
        ...chat,
      },
      responses: { model: "sandbox-1.0", input: prompt, stream: true, ...responses },
    };
    for (const kind of ["chat", "responses"] as const) {
      const wire = WIRES[kind];
      const asked = JSON.stringify(bodies[kind]);
      const request = wire.readRequest(JSON.parse(asked), asked);
      const options: UpstreamOptions = {
        ...UPSTREAM_OPTIONS,
        model: "sandbox-1.0",
        maxOutput: 8_192,
        dialect: { developerRole: true, customTools: true },
        webSearch: true,
      };
      const body = wire.writeRequest(request, options).text;
      const url = `http://vendor.invalid/v1${wire.path("sandbox-1.0", true)}`;
      const answer = await vendor(new Request(url, { method: "POST", body }));
      expect(answer.status).toBe(200);
      const text = await answer.text();
      const lf = name === "unicode" ? text : thinned(text);
      expect(lf).toEndWith("data: [DONE]\n\n");
      const record = (form: string, stream: string) =>
        recordings.set(`${kind}: ${name}${form}`, { wire, request, bytes: Buffer.from(stream) });
      record("", lf);
      record(" with CRLF", lf.replaceAll("\n", "\r\n"));
    }
  }
});

function recording(name: string): Recording {
  const found = recordings.get(name);
  if (!found) throw new Error(`no recording of ${name}`);
  return found;
}

/** All that a client gets, and all that we learn, when the stream arrives in these pieces. */
function play({ wire, request }: Recording, pieces: readonly Uint8Array[]) {
  const stream = wire.openStream(request, { model: MODEL, echo: { store: "true" } });
  const out: Uint8Array[] = [];
  for (const piece of pieces) out.push(given(stream.push(piece)));
  out.push(given(stream.close()));
  const before = Buffer.concat(out).toString();
  const end = given(stream.finish({ cost: "0.25", usage: NO_USAGE, echo: {} })).toString();
  const { usage, outputTokens, id, failure, ended } = stream;
  return { before, end, usage, outputTokens, id, failure, ended };
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [0, ...places.map((at) => at % (bytes.length + 1)), bytes.length];
  edges.sort((a, b) => a - b);
  return edges.slice(1).map((end, i) => bytes.slice(edges[i], end));
}

describe.each(names)("the recorded stream %s", (name) => {
  test("is the same to the client wherever it is cut", () => {
    const recorded = recording(name);
    const { bytes } = recorded;
    const whole = play(recorded, [bytes]);
    // Between the two forms only the line ends differ.
    const step = count(name.endsWith("CRLF") ? 53 : 41, 1);
    for (let at = 1; at < bytes.length; at += step) {
      const split = play(recorded, [bytes.subarray(0, at), bytes.subarray(at)]);
      if (!Bun.deepEquals(split, whole)) expect({ at, ...split }).toEqual({ at, ...whole });
    }
    expect(
      play(
        recorded,
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(whole);
  });

  test("is the same to the client however it is chopped", () => {
    const recorded = recording(name);
    const whole = play(recorded, [recorded.bytes]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (places) => {
        expect(play(recorded, cut(recorded.bytes, places))).toEqual(whole);
      }),
      { numRuns: count(10, 25) },
    );
  });

  test("has its usage, our model in every event, and its end kept back", () => {
    const { before, end, usage, outputTokens, id, failure, ended } = play(recording(name), [
      recording(name).bytes,
    ]);
    expect([ended, failure]).toEqual([true, undefined]);
    expect(usage?.output).toBeGreaterThan(0);
    expect(outputTokens).toBeGreaterThan(0);
    expect(id).toBeString();
    expect(before).not.toContain("sandbox-1.0");
    expect(before).toContain(`"model":"${MODEL}"`);
    expect(before).not.toMatch(/\[DONE\]|response\.(?:completed|incomplete)"/);
    expect(end.match(/\[DONE\]/g)).toHaveLength(1);
    expect(end).not.toContain("sandbox-1.0");
  });

  test("says the same text as it did before it went through", () => {
    const recorded = recording(name);
    const { before, end } = play(recorded, [recorded.bytes]);
    const words = (stream: string) =>
      [...stream.matchAll(/^data: (\{.*\})\r?$/gm)]
        .map((match) => JSON.parse(match[1] ?? ""))
        .flatMap(
          (event) => event.choices?.map((c: { delta: object }) => c.delta) ?? event.delta ?? [],
        );
    expect(words(before + end)).toEqual(words(Buffer.from(recorded.bytes).toString()));
  });
});

test("usage goes to the client exactly where it was asked for", () => {
  const asked = recording("chat: usage asked");
  expect(play(asked, [asked.bytes]).end).toContain('"cost":0.25,"cost_exact":"0.25"');
  const plain = recording("chat: text");
  expect(play(plain, [plain.bytes]).end).toBe("data: [DONE]\n\n");
  const response = recording("responses: text");
  expect(play(response, [response.bytes]).end).toContain('"cost":0.25,"cost_exact":"0.25"');
});

test("every prefix of a stream that lacks its end is a failure, never an answer", () => {
  for (const name of ["responses: text", "responses: tools"]) {
    const { wire, request, bytes } = recording(name);
    const terminal = Buffer.from(bytes).lastIndexOf("event: ");
    for (let at = 0; at < terminal; at += 7) {
      const stream = wire.openStream(request, { model: MODEL, echo: {} });
      stream.push(bytes.subarray(0, at));
      try {
        stream.close();
      } catch {
        // A cut inside an event cannot be read at all, which is as good.
        continue;
      }
      expect(stream.ended).toBe(false);
      expect(stream.failure?.status).toBe(503);
    }
  }
});
