// The Open Responses cases once more where the only vendor speaks another wire: chat, or Anthropic's
// messages, in bytes written by hand from the documented shapes.
import { describe, expect, test } from "bun:test";
import { perSuite } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { answerAsChat, answerAsMessages } from "../support/vendors/foreign-vendors.ts";
import {
  answer,
  MockVendor,
  VENDOR_KEY,
  VENDOR_MODEL,
  type VendorCall,
} from "../support/vendors/mock-vendor.ts";
import { Chance } from "./chance.ts";
import { answerProblems, CASES, type CaseName, picture, textTool } from "./open-responses-cases.ts";
import {
  askSocket,
  askStream,
  askWhole,
  type Gate,
  openSocket,
  post,
} from "./open-responses-gate.ts";
import { compactionShape } from "./open-responses-shapes.ts";

const chance = new Chance();

interface Foreign {
  readonly wire: string;
  readonly model: string;
  readonly path: string;
  answer(call: VendorCall): Response;
  settings(vendor: MockVendor): Record<string, string>;
}

const FOREIGN: readonly Foreign[] = [
  {
    wire: "chat",
    model: "mistral-medium-3.5",
    path: "/v1/chat/completions",
    answer: answerAsChat,
    settings: ({ url }) => ({ MISTRAL_API_KEY: VENDOR_KEY, MISTRAL_BASE_URL: url }),
  },
  {
    wire: "messages",
    model: "claude-sonnet-4.5",
    path: "/v1/messages",
    answer: answerAsMessages,
    settings: ({ url }) => ({
      ANTHROPIC_API_KEY: VENDOR_KEY,
      ANTHROPIC_BASE_URL: new URL(url).origin,
    }),
  },
];

/** A gateway that has no other vendor than this one. */
function behind({ model, answer, settings }: Pick<Foreign, "model" | "answer" | "settings">) {
  const vendor = perSuite((parts) => parts.keep(new MockVendor()));
  const gate = perSuite(async (parts): Promise<Gate> => {
    vendor.play(answer);
    const { server } = await serve(parts, { settings: settings(vendor), books: true });
    return { server, key: (await server.account("100")).key, model };
  });
  return { vendor, gate };
}

const named = FOREIGN.map((foreign) => [foreign.wire, foreign] as const);
const names = Object.keys(CASES) as CaseName[];

describe.each(named)(`behind a vendor of %s, seed ${chance.seed}`, (_wire, foreign) => {
  const { vendor, gate } = behind(foreign);

  test.each(names)("%s is answered whole", async (name) => {
    const asked = CASES[name](chance);
    expect(answerProblems(asked, await askWhole(gate, asked.body))).toEqual([]);
    expect(vendor.lastCall.path).toBe(foreign.path);
  });

  test.each(names)("%s is answered as a stream of documented events", async (name) => {
    const asked = CASES[name](chance);
    const { answer, events } = await askStream(gate, asked.body);
    expect(answerProblems(asked, answer)).toEqual([]);
    expect(JSON.stringify(events)).not.toContain(VENDOR_MODEL);
    expect(vendor.lastCall.body.stream).toBe(true);
  });

  test.each(names)("websocket-response: %s", async (name) => {
    const asked = CASES[name](chance);
    const socket = await openSocket(gate);
    const { answer } = await askSocket(gate, socket, asked.body);
    expect(answerProblems(asked, answer)).toEqual([]);
    await socket.close();
  });

  test("image-input: the vendor gets the bytes of the picture", async () => {
    const image_url = picture(3 + chance.below(60), 3 + chance.below(60));
    const content = [
      { type: "input_text", text: "Look." },
      { type: "input_image", image_url },
    ];
    await askWhole(gate, { input: [{ role: "user", content }] });
    expect(vendor.lastCall.text).toContain(image_url.split(",")[1] ?? "?");
  });

  test("tool-calling-streaming and function-call-roundtrip", async () => {
    const { tool, name, property, value, message } = textTool(chance);
    const tool_choice = { type: "function", name };
    const first = await askStream(gate, { input: message, tools: [tool], tool_choice });
    const [call] = first.answer.output;
    expect(call).toMatchObject({ type: "function_call", name });
    expect(JSON.parse(String(call?.arguments))).toEqual({ [property]: value });
    const output = `${chance.name()} fathoms`;
    const second = await askWhole(gate, {
      previous_response_id: first.answer.id,
      tools: [tool],
      input: [{ type: "function_call_output", call_id: call?.call_id, output }],
    });
    expect(second.output_text).toContain(output);
  });

  test("previous-response-id and websocket-continuation", async () => {
    const word = chance.name();
    const first = await askWhole(gate, { input: `The code word is ${word}.` });
    const previous_response_id = first.id;
    const second = await askWhole(gate, { previous_response_id, input: "And?" });
    expect(second.output_text).toContain(word);
    const socket = await openSocket(gate);
    const other = chance.name();
    const begun = await askSocket(gate, socket, { store: false, input: `I am ${other}.` });
    const { answer } = await askSocket(gate, socket, {
      store: false,
      previous_response_id: begun.answer.id,
      input: "Who am I?",
    });
    expect(answer.output_text).toContain(other);
    await socket.close();
  });

  test("compact-response and websocket-compact-new-chain", async () => {
    const word = chance.name();
    const input = [
      { role: "user", content: "Where are we?" },
      { role: "assistant", content: `We are in ${word}.` },
    ];
    const response = await post(gate, "/responses/compact", { input });
    expect(response.status).toBe(200);
    const { output, usage } = compactionShape.parse(await response.json());
    expect(usage).toMatchObject({ input_tokens: 21, output_tokens: 9, total_tokens: 30 });
    // What the model itself had said is only in its summary, and there in no plain text.
    expect(JSON.stringify(output)).not.toContain(word);
    const question = { role: "user", content: "And now?" };
    const whole = await askWhole(gate, { input: [...output, question] });
    expect(whole.output_text).toContain(word);
    const socket = await openSocket(gate);
    const { answer } = await askSocket(gate, socket, { input: [...output, question] });
    expect(answer.output_text).toContain(word);
    await socket.close();
  });
});

describe(`behind a vendor of the same wire, seed ${chance.seed}`, () => {
  const { vendor, gate } = behind({ answer, model: "gpt-6-luna", settings: (to) => to.settings });

  test("response-output-phase-schema: phases come and go as they are", async () => {
    const phases = ["commentary", "final_answer"];
    const output = phases.map((phase) => ({
      id: `msg_${chance.word()}`,
      type: "message",
      role: "assistant",
      status: "completed",
      phase,
      content: [{ type: "output_text", text: chance.name(), annotations: [], logprobs: [] }],
    }));
    const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
    const head = { id: `resp_${chance.word()}`, object: "response", model: VENDOR_MODEL };
    vendor.play(() => Response.json({ ...head, status: "completed", output, usage }));
    const phasesOf = (items: unknown) => (items as { phase?: string }[]).map(({ phase }) => phase);
    const first = await post(gate, "/responses", { input: "Begin." });
    const { id, output: given } = (await first.json()) as { id: string; output: unknown };
    expect(phasesOf(given)).toEqual(phases);
    await post(gate, "/responses", { previous_response_id: id, input: "Go on." });
    expect(phasesOf(vendor.lastCall.body.input)).toEqual([undefined, ...phases, undefined]);
  });
});
