import { expect, test } from "bun:test";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { INNER_REVISION } from "../../http/inner.ts";
import { OfficeDoor } from "./office-door.ts";

const parts = partsOfTest();

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
    keeper: { take: async () => () => void freed++, doubt: async () => {} },
    ...{ socket, gate: 0, paths: [], takeRevision: () => Promise.reject(broken) },
  });
  for (const method of ["POST", "GET"]) {
    const request = new Request("http://gate.test/api/x", { method });
    const incoming = {
      ...{ request, requestId: "req_1", url: new URL(request.url), params: {} },
      ...{ keepOpen() {}, isBeingAnswered: () => false, address: () => "203.0.113.7" },
    };
    expect(await door.answer(incoming).catch((thrown: unknown) => thrown)).toBe(broken);
  }
  expect([asked, freed]).toEqual([2, 2]);
});
