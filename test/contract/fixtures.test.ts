// What pages are shown in tests in the place of answers is what the server could have answered.
import { describe, expect, test } from "bun:test";
import { bodyExample, FAULT_BODY, isFile, type Operation } from "../../src/lib/contract.ts";
import { FIXTURES } from "../../web/fixtures/all.ts";
import type { Fixture } from "../../web/fixtures/fixture.ts";
import { SQLITE } from "../store/engines.ts";
import { perFile } from "../support/houses/house.ts";
import { expectFits, expectType, nameOf } from "./fits.ts";
import { contractHouse } from "./house.ts";

type Params = Record<string, string>;
type Row = Readonly<Record<string, unknown>>;

const { operations } = await perFile((parts) => contractHouse(parts, SQLITE));
const byName = new Map(operations.map((each) => [nameOf(each), each]));
/** The sign-in library's calls and the platform's pictures have no contract. */
const names = Object.keys(FIXTURES).filter(
  (name) => !/ \/(?:api\/auth|platform\/mmbiz)/.test(name),
);
/** Always refuses, for the scene that shows it. */
const REFUSED = ["POST /api/accounts/:account/playground/chat/completions"];

async function answerOf(fixture: Fixture, params: Params, operation: Partial<Operation> = {}) {
  const body = (bodyExample(operation) ?? {}) as Row;
  const answer = await fixture({ params, query: new URLSearchParams(), body });
  return answer instanceof Response ? answer : Response.json(answer);
}

const rowsOf = (list: unknown) => (list as { data?: readonly Row[] }).data ?? [];

/** A piece of a path is what the list in front of it has last. */
async function paramsOf(path: string): Promise<Params> {
  const params: Params = {};
  for (const { 1: name = "", index } of path.matchAll(/\/:(\w+)/g)) {
    const list = FIXTURES[`GET ${path.slice(0, index)}`];
    const rows = list ? rowsOf(await (await answerOf(list, params)).json()) : [];
    const row = rows.at(-1) ?? {};
    params[name] = String(row[name] ?? row.id ?? row.media_id ?? "one");
  }
  return params;
}

describe("the fixture of", () => {
  test.each(names)("%s", async (name) => {
    const operation = byName.get(name);
    if (!operation) throw new Error("no such operation is mounted");
    const fixture = FIXTURES[name] as Fixture;
    const response = await answerOf(fixture, await paramsOf(operation.path), operation);
    const text = await response.text();
    expect([response.ok, text]).toEqual([!REFUSED.includes(name), text]);
    const { answer } = operation;
    if (!response.ok) expectFits(name, FAULT_BODY, JSON.parse(text));
    else if (isFile(answer)) expectType(name, response, answer.contentType);
    else expectFits(name, answer, JSON.parse(text));
  });
});
