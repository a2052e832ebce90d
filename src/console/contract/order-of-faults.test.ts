import { expect, test } from "bun:test";
import type { Operation } from "../../lib/contract.ts";
import type { Incoming } from "../../lib/route.ts";
import { sentBy } from "../../lib/serve-operation.ts";
import { LIST_KEYS } from "./keys.ts";
import { LIST_REQUESTS, SAVE_REQUESTS } from "./requests.ts";

const LONG = "x".repeat(301);

const WRONG: readonly (readonly [Operation, string, string])[] = [
  [LIST_KEYS, `q=${LONG}&sort=${LONG}`, "sort"],
  [LIST_REQUESTS, `q=${LONG}&limit=0`, "limit"],
  [SAVE_REQUESTS, `q=${LONG}&to=never`, "to"],
];

/** Whoever mends one after the other meets them in the order in which they count. */
test.each(WRONG)("%#: of several wrong parameters one is told", (operation, query, param) => {
  const incoming = { url: new URL(`http://c.test/?${query}`) } as Incoming;
  expect(sentBy(operation, incoming).query).toThrow(expect.objectContaining({ param }));
});
