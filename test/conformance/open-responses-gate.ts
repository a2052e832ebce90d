// A gateway under test and the ways to ask it, each of which checks all that the documents require of
// any answer before it hands it on.
import { expect } from "bun:test";
import type { TestServer } from "../server.ts";
import { SocketClient, type SocketTurn } from "../support/clients/socket-client.ts";
import { framesOf, type Json, jsonOf } from "./frames.ts";
import { lifecycleProblems } from "./lifecycle.ts";
import { eventProblems, responseShape, socketErrorShape } from "./open-responses-shapes.ts";

export interface Gate {
  readonly server: TestServer;
  readonly key: string;
  readonly model: string;
}

type ResponseObject = ReturnType<typeof responseShape.parse>;

export function post(gate: Gate, path: string, body: Json): Promise<Response> {
  return gate.server.post(path, gate.key, { model: gate.model, ...body });
}

/** A whole answer of the required shape that says it is completed and has something in it. */
export async function askWhole(gate: Gate, body: Json): Promise<ResponseObject> {
  const response = await post(gate, "/responses", body);
  const text = await response.text();
  expect({ status: response.status, text }).toEqual({ status: 200, text });
  expect(response.headers.get("content-type")).toContain("application/json");
  return expectAnswer(gate, JSON.parse(text));
}

function expectAnswer(gate: Gate, value: unknown): ResponseObject {
  const answer = responseShape.parse(value);
  expect(answer).toMatchObject({ status: "completed", model: gate.model, error: null });
  expect(answer.output).not.toBeEmpty();
  expect(answer.usage).not.toBeNull();
  expect(answer.completed_at).toBeGreaterThanOrEqual(answer.created_at);
  return answer;
}

/** The same as a stream, of which every event is a documented one in its place. */
export async function askStream(
  gate: Gate,
  body: Json,
): Promise<{ events: Json[]; answer: ResponseObject }> {
  const response = await post(gate, "/responses", { ...body, stream: true });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const frames = framesOf(await response.text());
  const events = jsonOf(frames);
  expect(eventProblems(events)).toEqual([]);
  expect(lifecycleProblems(frames)).toEqual([]);
  return { events, answer: expectAnswer(gate, events.at(-1)?.response) };
}

export function openSocket({ server, key }: Gate): Promise<SocketClient> {
  return SocketClient.open(server, key);
}

/** A turn on a socket that must come to its end like any stream. */
export async function askSocket(
  gate: Gate,
  socket: SocketClient,
  body: Json,
): Promise<{ turn: SocketTurn; answer: ResponseObject }> {
  const turn = await socket.turn({ model: gate.model, ...body });
  expect(eventProblems(turn.messages)).toEqual([]);
  expect(lifecycleProblems(turn.frames)).toEqual([]);
  return { turn, answer: expectAnswer(gate, turn.response) };
}

/** A turn that is refused: one message, which says why. */
export async function refusedBySocket(
  gate: Gate,
  socket: SocketClient,
  body: Json,
): Promise<ReturnType<typeof socketErrorShape.parse>> {
  const { messages } = await socket.turn({ model: gate.model, ...body });
  expect(messages).toHaveLength(1);
  return socketErrorShape.parse(messages[0]);
}
