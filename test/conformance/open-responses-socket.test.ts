// The cases of the Open Responses compliance suite over a WebSocket.
import { describe, expect, test } from "bun:test";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { Chance } from "./chance.ts";
import { answerProblems, CASES, type CaseName, textTool } from "./open-responses-cases.ts";
import { askSocket, type Gate, openSocket, post, refusedBySocket } from "./open-responses-gate.ts";
import { compactionShape } from "./open-responses-shapes.ts";

const chance = new Chance();
const { server } = await perFile((parts) => serve(parts, { books: true }));
const gate: Gate = { server, key: server.firstKey, model: "sandbox-1.0" };

const NOT_FOUND = {
  status: 400,
  error: { code: "previous_response_not_found", param: "previous_response_id" },
};

describe(`on a socket, seed ${chance.seed}`, () => {
  test.each(Object.keys(CASES) as CaseName[])("websocket-response: %s", async (name) => {
    const asked = CASES[name](chance);
    const socket = await openSocket(gate);
    const { answer } = await askSocket(gate, socket, asked.body);
    expect(answerProblems(asked, answer)).toEqual([]);
    await socket.close();
  });

  test("websocket-sequential-responses: two turns, one after the other", async () => {
    const socket = await openSocket(gate);
    const ids = [];
    for (const word of [chance.name(), chance.name()]) {
      const body = { store: false, input: `Say "${word}" and nothing else.` };
      const { answer } = await askSocket(gate, socket, body);
      expect(answer).toMatchObject({ output_text: word, store: false });
      ids.push(answer.id);
    }
    expect(new Set(ids).size).toBe(2);
    await socket.close();
  });

  test("websocket-continuation: goes on from a response that was not stored", async () => {
    const socket = await openSocket(gate);
    const word = chance.name();
    const first = await askSocket(gate, socket, {
      store: false,
      input: `The code word is ${word}.`,
    });
    let previous = first.answer.id;
    // Also from the second, which stands on the first.
    for (let turn = 0; turn < 2; turn++) {
      const { answer } = await askSocket(gate, socket, {
        store: false,
        previous_response_id: previous,
        input: "What is the code word? Reply with only the code word.",
      });
      expect(answer.output_text).toContain(word);
      expect(answer.previous_response_id).toBe(previous);
      previous = answer.id;
    }
    await socket.close();
  });

  test("websocket-continuation: a call and its result", async () => {
    const socket = await openSocket(gate);
    const { tool, message } = textTool(chance);
    const first = await askSocket(gate, socket, { store: false, input: message, tools: [tool] });
    const output = `${chance.name()} knots`;
    const { answer } = await askSocket(gate, socket, {
      store: false,
      tools: [tool],
      previous_response_id: first.answer.id,
      input: [{ type: "function_call_output", call_id: first.answer.output[0]?.call_id, output }],
    });
    expect(answer.output_text).toContain(output);
    await socket.close();
  });

  test("websocket-reconnect-store-false-recovery: another socket starts afresh", async () => {
    const first = await openSocket(gate);
    const { answer } = await askSocket(gate, first, { store: false, input: "Remember me." });
    await first.close();
    const second = await openSocket(gate);
    const body = { store: false, previous_response_id: answer.id, input: "Who am I?" };
    expect(await refusedBySocket(gate, second, body)).toMatchObject(NOT_FOUND);
    const word = chance.name();
    const fresh = await askSocket(gate, second, {
      store: false,
      input: `Say "${word}" and nothing else.`,
    });
    expect(fresh.answer.output_text).toBe(word);
    await second.close();
  });

  test("websocket-previous-response-not-found: an id that nobody gave out", async () => {
    const socket = await openSocket(gate);
    const body = { previous_response_id: `resp_${chance.word()}`, input: "Go on." };
    expect(await refusedBySocket(gate, socket, body)).toMatchObject(NOT_FOUND);
    await socket.close();
  });

  test("websocket-failed-continuation-evicts-cache: a failed turn takes its root along", async () => {
    const socket = await openSocket(gate);
    const { answer } = await askSocket(gate, socket, { store: false, input: "Begin here." });
    const orphan = { type: "function_call_output", call_id: `call_${chance.word()}`, output: "?" };
    const failing = { store: false, previous_response_id: answer.id, input: [orphan] };
    expect(await refusedBySocket(gate, socket, failing)).toMatchObject({
      status: 400,
      error: { param: "input" },
    });
    const again = { store: false, previous_response_id: answer.id, input: "And now?" };
    expect(await refusedBySocket(gate, socket, again)).toMatchObject(NOT_FOUND);
    await socket.close();
  });

  test("websocket-compact-new-chain: a compaction begins a conversation on a socket", async () => {
    const boat = chance.name();
    const input = [
      { role: "user", content: `My boat is called ${boat}.` },
      { role: "assistant", content: "A fine name." },
    ];
    const response = await post(gate, "/responses/compact", { input });
    const { output } = compactionShape.parse(await response.json());
    const socket = await openSocket(gate);
    const question = { role: "user", content: "What is my boat called?" };
    const { answer } = await askSocket(gate, socket, {
      store: false,
      input: [...output, question],
    });
    expect(answer.output_text).toContain(boat);
    await socket.close();
  });
});

describe(`between a socket and HTTP, seed ${chance.seed}`, () => {
  test("a stored turn goes on in either", async () => {
    const word = chance.name();
    const socket = await openSocket(gate);
    const { answer } = await askSocket(gate, socket, { input: `The code word is ${word}.` });
    await socket.close();
    const question = "What is the code word? Reply with only the code word.";
    const body = { previous_response_id: answer.id, input: question };
    const whole = await post(gate, "/responses", body);
    expect(await whole.json()).toMatchObject({ output_text: word });
    const other = await openSocket(gate);
    expect((await askSocket(gate, other, body)).answer.output_text).toBe(word);
    await other.close();
  });

  test("a stored turn is whole, also when it went on from one that was not stored", async () => {
    const word = chance.name();
    const socket = await openSocket(gate);
    const first = await askSocket(gate, socket, {
      store: false,
      input: `The code word is ${word}.`,
    });
    const second = await askSocket(gate, socket, {
      store: true,
      previous_response_id: first.answer.id,
      input: "Thank you.",
    });
    await socket.close();
    const whole = await post(gate, "/responses", {
      previous_response_id: second.answer.id,
      input: "What is the code word? Reply with only the code word.",
    });
    expect(await whole.json()).toMatchObject({ output_text: word });
  });
});
