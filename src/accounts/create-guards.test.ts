import { expect, test } from "bun:test";
import { heldBack } from "../../test/support/clients/slow-bodies.ts";
import { ask, type Caller, openGuards } from "../../test/support/houses/open-guards.ts";
import type { Route } from "../lib/route.ts";

test.each([
  ["somebody who still is one", true, 200],
  ["nobody who is none any more", false, 404],
])(
  "a route for operators that reads by itself reads to the end for %s",
  async (_who, is, status) => {
    const caller: Caller = { operator: true, roles: {} };
    const read: string[] = [];
    const made: Route = {
      method: "PUT",
      path: "/api/state/:name",
      async handle({ request, params, address }) {
        read.push(`${await request.text()} ${params.name} ${address()}`);
        return new Response("taken");
      },
    };
    const body = heldBack({ some: "state" }, () => {
      caller.operator = is;
    });
    const answer = await ask(
      [openGuards(caller).operatorOnly(made)],
      "PUT",
      "/api/state/all",
      body,
    );
    expect(answer.status).toBe(status);
    expect(read).toEqual(is ? ['{"some":"state"} all 127.0.0.1'] : []);
  },
);
