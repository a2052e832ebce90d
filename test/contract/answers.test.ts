// Every operation that is mounted is called, and what it really answers is held against its contract.
import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { credentialsOf } from "../../src/http/openapi/shared.ts";
import type { Operation } from "../../src/lib/contract.ts";
import { ENGINES } from "../store/engines.ts";
import { perSuite } from "../support/houses/house.ts";
import { CONSOLE } from "./calls/console.ts";
import { ARTICLES } from "./calls/drafts.ts";
import { GATEWAY } from "./calls/gateway.ts";
import { MONEY } from "./calls/money.ts";
import { OPERATOR } from "./calls/operator.ts";
import { FAREWELL, PEOPLE } from "./calls/people.ts";
import { PLATFORM } from "./calls/platform.ts";
import { nameOf } from "./fits.ts";
import { contractHouse } from "./house.ts";
import { type Call, callerOf, Walk } from "./walk.ts";

/** In an order in which what a call needs is there. */
const CALLS: readonly Call[] = [
  ...[...PEOPLE, ...MONEY, ...GATEWAY, ...CONSOLE],
  ...[...ARTICLES, ...OPERATOR, ...PLATFORM, ...FAREWELL],
];

/** Lists that can have no row, and why. */
const EMPTY: Readonly<Record<string, string>> = {
  "DELETE /platform/__sandbox/faults": "shows what is left of what it has taken away",
};

const choicesOf = ({ stream, file }: Operation) => [
  ...(stream === undefined ? [] : ["stream"]),
  ...(file === undefined ? [] : ["file"]),
];

describe.each(ENGINES)("on $name", (engine) => {
  const house = perSuite((parts) => contractHouse(parts, engine));
  let walk: Walk;
  beforeAll(() => {
    walk = new Walk(house);
  });

  test.each(CALLS.map((call) => [call.of, call] as const))("%s", (_, call) => walk.make(call));

  test("every operation has answered", () => {
    const silent = house.operations.map(nameOf).filter((name) => !walk.answered.has(name));
    expect(silent).toEqual([]);
  });

  test("every parameter of an address has been sent, every stream and file asked for", () => {
    const unsent = house.operations.flatMap((operation) => {
      const sent = walk.answered.get(nameOf(operation));
      const offered = [...Object.keys(operation.query?.shape ?? {}), ...choicesOf(operation)];
      return offered.filter((name) => !sent?.has(name)).map((name) => [nameOf(operation), name]);
    });
    expect(unsent).toEqual([]);
  });

  test("whoever shows nothing is refused as it is described", async () => {
    for (const operation of house.operations) {
      if (credentialsOf(operation).length > 0) await walk.expectRefusal(operation, "nobody");
    }
  });

  test("what is not there and what cannot be read are refused as it is described", async () => {
    for (const operation of house.operations) {
      const takes = operation.body ?? operation.path.match(/\/:/);
      if (takes) await walk.expectRefusal(operation, callerOf(operation));
    }
  });

  test("every list has had a row to look at", () => {
    const lists = house.operations.filter(
      ({ answer }) => answer instanceof z.ZodObject && "data" in answer.shape,
    );
    const empty = lists.map(nameOf).filter((name) => !walk.filled.has(name));
    expect(empty.sort()).toEqual(Object.keys(EMPTY).sort());
  });
});
