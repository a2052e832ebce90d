import { expect, test } from "bun:test";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { INNER_REVISION } from "../../http/inner.ts";
import { OfficeDoor } from "./office-door.ts";

const parts = partsOfTest();

function incomingOf(method: string) {
  const request = new Request("http://gate.test/api/x", { method });
  return {
    ...{ request, requestId: "req_1", url: new URL(request.url), params: {} },
    ...{ keepOpen() {}, isBeingAnswered: () => false, address: () => "203.0.113.7" },
  };
}

test("what goes wrong in the gate once the office has answered is told, and nothing is asked again", async () => {
  const socket = join(parts.folder(), "office.sock");
  let asked = 0;
  const office = Bun.serve({
    unix: socket,
    fetch() {
      asked += 1;
      return new Response("done", { headers: { [INNER_REVISION]: "7" } });
    },
  });
  parts.defer(() => office.stop(true));
  const broken = new Error("the settings cannot be read");
  let freed = 0;
  const door = new OfficeDoor({
    office: { take: async () => () => void freed++, doubt: async () => {} },
    ...{ socket, gate: 0, paths: [], takeRevision: () => Promise.reject(broken) },
  });
  for (const method of ["POST", "GET"]) {
    const told = await door.answer(incomingOf(method)).catch((thrown: unknown) => thrown);
    expect(told).toBe(broken);
  }
  expect([asked, freed]).toEqual([2, 2]);
});

test("an office that hangs up on a call, as test controls have it do, is not asked again", async () => {
  const socket = join(parts.folder(), "office.sock");
  const calls: string[] = [];
  const office = Bun.serve({
    unix: socket,
    fetch({ method, url }) {
      if (new URL(url).pathname !== "/api/x") return Response.json(false);
      calls.push(method);
      // Another call before it leaves a connection behind that could be used again.
      if (calls.length % 2 === 1) return new Response("done");
      return new Response(new ReadableStream({ start: (body) => body.error(undefined) }));
    },
  });
  parts.defer(() => office.stop(true));
  const door = new OfficeDoor({
    office: { take: async () => () => {}, doubt: async () => {} },
    ...{ socket, gate: 0, paths: [], takeRevision: async () => {} },
  });
  for (const method of ["POST", "GET"]) {
    expect(await (await door.answer(incomingOf(method))).text()).toBe("done");
    const cut = await door.answer(incomingOf(method));
    expect(await cut.text().catch(() => "cut")).toBe("cut");
  }
  expect(calls).toEqual(["POST", "POST", "GET", "GET"]);
});

test("what has been sent to nobody, since the office died while it started, is asked of the next one", async () => {
  const socket = join(parts.folder(), "office.sock");
  const office = Bun.serve({ unix: socket, fetch: () => new Response("done") });
  parts.defer(() => office.stop(true));
  for (const method of ["POST", "GET"]) {
    let taken = 0;
    const take = async () => {
      taken += 1;
      if (taken === 1) throw new Error("the office ended before it was ready");
      return () => {};
    };
    const door = new OfficeDoor({
      office: { take, doubt: async () => {} },
      ...{ socket, gate: 0, paths: [], takeRevision: async () => {} },
    });
    const answer = await door.answer(incomingOf(method));
    expect(await answer.text()).toBe("done");
    expect(taken).toBe(2);
  }
});
