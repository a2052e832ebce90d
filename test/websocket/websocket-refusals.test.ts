// A message that is refused leaves what the same body leaves over HTTP: the same code, and a row.
import { expect, test } from "bun:test";
import { socketErrorShape } from "../conformance/open-responses-shapes.ts";
import { connect, expectWhole } from "../support/clients/socket-client.ts";
import { perFile } from "../support/houses/house.ts";
import { serveMock } from "../support/houses/serving.ts";
import { eventually } from "../support/waiting.ts";

const MODEL = "gpt-6-luna";
const TURN = `"model":"${MODEL}","input":"x"`;

/** More than one body may have. */
const NUMBERS = `"numbers":[${"1,".repeat(500_000)}1]`;

const house = await perFile(serveMock);

const refusals = async () =>
  (
    await house.database.run<{ error_code: string; cost: bigint; endpoint: string }>(
      "select error_code, cost, endpoint from receipts where billing_reason = 'refused' order by id",
    )
  ).map(({ error_code: code, cost, endpoint }) => ({ code, cost, endpoint }));

async function overSocket(text: string) {
  const socket = await connect(house);
  socket.send(text);
  const { messages } = await socket.take();
  const { status, error } = socketErrorShape.parse(messages[0]);
  expectWhole(await socket.turn({ model: MODEL, input: "x" }));
  await socket.close();
  return { status, code: error.code, param: error.param };
}

async function overHttp(text: string) {
  const response = await fetch(`${house.server.url}/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${house.key}`, "content-type": "application/json" },
    body: text,
  });
  const { error } = (await response.json()) as { error: { code: string; param: string | null } };
  return { status: response.status, code: error.code, param: error.param };
}

test.each([
  ["no JSON", "{", "{"],
  ["half of it", `{"type":"response.create",${TURN}`, `{${TURN}`],
  ["very many numbers", `{"type":"response.create",${TURN},${NUMBERS}}`, `{${TURN},${NUMBERS}}`],
  ["an input twice", `{"type":"response.create",${TURN},"input":"y"}`, `{${TURN},"input":"y"}`],
  [
    "background",
    `{"type":"response.create",${TURN},"background":true}`,
    `{${TURN},"background":true}`,
  ],
  ["a model twice", `{"model":"a","type":"response.create",${TURN}}`, `{"model":"a",${TURN}}`],
])("%s", async (_what, frame, body) => {
  const before = (await refusals()).length;
  const [socket, http] = [await overSocket(frame), await overHttp(body)];
  expect(socket).toEqual(http);
  const rows = await eventually("both have left a row", async () => {
    const since = (await refusals()).slice(before);
    return since.length === 2 && since;
  });
  expect(rows).toEqual(Array(2).fill({ code: http.code, cost: 0n, endpoint: "responses" }));
});

test.each([
  ["a list", "[]", "invalid_type"],
  ["no type", `{${TURN}}`, "missing_required_parameter"],
  ["a type of another kind", `{"type":"session.update",${TURN}}`, "invalid_value"],
  [
    "a type twice",
    `{"type":"session.update","type":"response.create",${TURN}}`,
    "duplicate_parameter",
  ],
])("%s is refused with a row, too", async (_what, frame, code) => {
  const before = (await refusals()).length;
  expect(await overSocket(frame)).toMatchObject({ status: 400, code });
  const rows = await eventually("it has left a row", async () => {
    const since = (await refusals()).slice(before);
    return since.length === 1 && since;
  });
  expect(rows).toEqual([{ code, cost: 0n, endpoint: "responses" }]);
});
