// What the gate passes on, byte by byte: an office of bare sockets on the one side, bare clients on the other.
import { describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { RawClient } from "../../../test/support/clients/raw-client.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { SILENT } from "../../../test/support/logs.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { readConfig } from "../../config/config.ts";
import { HttpServer } from "../../http/server.ts";
import { OfficeDoor } from "./office-door.ts";
import { OFFICE_PATHS } from "./office-paths.ts";

const HEAD = "HTTP/1.1 200 OK\r\n";
const OK = `${HEAD}content-length: 2\r\n\r\nok`;

/** A connection of the gate to its office, with what has come by it. */
interface Asked {
  readonly socket: Socket;
  text: string;
  closed: boolean;
}

const house = perSuite(async (parts) => {
  const socket = join(parts.folder(), "office.sock");
  const asked: Asked[] = [];
  /** What the office does with the head of a request. */
  const office = { play: (_asked: Asked) => {} };
  const server = createServer((opened) => {
    const one: Asked = { socket: opened, text: "", closed: false };
    opened.on("error", () => {});
    opened.on("close", () => {
      one.closed = true;
    });
    opened.on("data", (bytes: Buffer) => {
      const isFirst = one.text === "";
      one.text += bytes.toString("latin1");
      // The gate asks whether the office is there where it was not answered.
      if (one.text.startsWith("GET /inner/busy "))
        opened.end(`${HEAD}content-length: 5\r\n\r\nfalse`);
      else if (isFirst) {
        asked.push(one);
        office.play(one);
      }
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(socket, () => listening.resolve());
  await listening.promise;
  parts.keep({ close: () => void server.close() });
  const held = { now: 0 };
  const take = async () => {
    let isFree = false;
    held.now += 1;
    return () => {
      if (!isFree) held.now -= 1;
      isFree = true;
    };
  };
  const remote = new OfficeDoor({
    office: { take, doubt: async () => {} },
    ...{ socket, gate: 3, paths: OFFICE_PATHS, takeRevision: async () => {} },
  });
  const gate = new HttpServer({
    ...{ config: readConfig({ FAREGATE_PORT: "0" }), log: SILENT, routes: [], sockets: [] },
    ...{ remote, ready: async () => {} },
  });
  parts.defer(() => gate.stop(0));
  const ask = async (text: string, play: (one: Asked) => void = () => {}) => {
    office.play = play;
    asked.length = 0;
    const client = await RawClient.connect(`http://127.0.0.1:${gate.port}`);
    client.send(text);
    return client;
  };
  return { asked, gate, held, ask };
});

function request(target: string, lines: readonly string[] = [], method = "GET"): string {
  return `${[`${method} ${target} HTTP/1.1`, "host: gate.test", ...lines].join("\r\n")}\r\n\r\n`;
}

const say = (text: string) => (one: Asked) => one.socket.write(text, "latin1");
const sayAndEnd = (text: string) => (one: Asked) => one.socket.end(text, "latin1");

describe("what reaches the office", () => {
  test.each([
    ["/api/x", "/api/x"],
    ["/api/./x", "/api/x"],
    ["/api//x", "/api//x"],
    ["/api/..%2finner/busy", "/api/..%2finner/busy"],
    ["/api/..;/inner/busy", "/api/..;/inner/busy"],
    ["/api/%252e%252e/inner/busy", "/api/%252e%252e/inner/busy"],
    ["/api/x?../../inner/busy", "/api/x?../../inner/busy"],
    ["http://evil.test/api/x", "/api/x"],
  ])("is below its paths: %s", async (target, path) => {
    const client = await house.ask(request(target), sayAndEnd(OK));
    await eventually("it is answered", () => client.text.includes("\r\n\r\nok"));
    client.leave();
    expect(house.asked[0]?.text).toStartWith(`GET ${path} HTTP/1.1\r\n`);
    expect(house.asked[0]?.text.toLowerCase()).toContain("\r\nhost: gate.test\r\n");
  });

  test.each([
    "/inner/busy",
    "/api/../inner/busy",
    "/api/%2e%2e/inner/busy",
    "/api/.%2E/inner/busy",
    "/api/x/%2e%2e/%2e%2e/inner/busy",
    "/api\\..\\inner\\busy",
    "/api/..\\inner\\busy",
    "/console/../inner/busy",
    "//api/x",
    "/API/x",
    "/%61pi/x",
    "http://evil.test/inner/busy",
  ])("is nothing else: %s", async (target) => {
    const client = await house.ask(request(target));
    await eventually("it is refused", () => client.text.includes("\r\n\r\n{"));
    client.leave();
    expect(client.text).toStartWith("HTTP/1.1 40");
    expect(house.asked).toEqual([]);
  });

  test("has in the headers between the halves what the gate says, whatever a client sends", async () => {
    const lies = [
      ...["X-Faregate-Inner-Id: req_lie", "x-faregate-inner-address: 203.0.113.9"],
      ...["x-faregate-inner-gate: 9", "x-faregate-inner-revision: 9", "X-FAREGATE-INNER-FAULT: x"],
      ...["connection: x-faregate-inner-id, upgrade", "upgrade: websocket", "te: trailers"],
    ];
    const client = await house.ask(request("/api/x", lies), sayAndEnd(OK));
    await eventually("it is answered", () => client.text.includes("\r\n\r\nok"));
    client.leave();
    const told = house.asked[0]?.text.toLowerCase().split("\r\n") ?? [];
    const inner = told.filter((line) => line.startsWith("x-faregate-inner-")).sort();
    expect(inner.slice(0, 2)).toEqual([
      "x-faregate-inner-address: 127.0.0.1",
      "x-faregate-inner-gate: 3",
    ]);
    expect(inner).toHaveLength(3);
    expect(inner[2]).toStartWith("x-faregate-inner-id: req_");
    expect(inner[2]).not.toContain("lie");
    expect(told.filter((line) => /^(?:upgrade|te):/.test(line))).toEqual([]);
  });

  test.each([
    ["of a length", ["content-length: 200000"], "z".repeat(1_000)],
    ["in chunks", ["transfer-encoding: chunked"], "5\r\nhello\r\n"],
  ])(
    "is no whole upload where the client leaves in the middle of one %s",
    async (_name, lines, begun) => {
      const client = await house.ask(`${request("/api/x", lines, "POST")}${begun}`);
      await eventually("the upload has begun", () =>
        (house.asked[0]?.text ?? "").includes(begun.slice(0, 100)),
      );
      client.leave();
      await eventually("the office hears of it", () => house.asked[0]?.closed);
      expect(house.asked[0]?.text).not.toContain("\r\n0\r\n\r\n");
      await eventually("it is let go of", () => house.held.now === 0);
    },
  );
});

describe("an office that ends in the middle of its answer", () => {
  test.each([
    ["behind the head of a sized one", `${HEAD}content-length: 9\r\n\r\n`],
    ["in a sized one", `${HEAD}content-length: 9\r\n\r\nhalf`],
    ["behind the head of one in chunks", `${HEAD}transfer-encoding: chunked\r\n\r\n`],
    ["in one in chunks", `${HEAD}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`],
    [
      "in a stream of events",
      `${HEAD}content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`,
    ],
  ])("is not taken for one that has answered: %s", async (_name, begun) => {
    const client = await house.ask(request("/api/x"), (one) => {
      one.socket.write(begun);
      // The gate may have passed on what there is, or not.
      setTimeout(() => one.socket.destroy(), 20);
    });
    await client.closed;
    expect(client.text).not.toContain("\r\n0\r\n\r\n");
    expect(client.text.toLowerCase()).not.toContain("content-length: 4\r\n");
    expect(house.held.now).toBe(0);
  });
});

describe("a client that leaves is heard of by the office", () => {
  const events = `${HEAD}content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`;

  test.each([
    ["before it has answered", "GET", ""],
    ["before it has answered a change", "POST", ""],
    ["in its answer", "GET", `${HEAD}content-length: 9\r\n\r\nhalf`],
    ["in a stream of events", "GET", `${events}4\r\nhalf\r\n`],
    ["in a stream of events that has none yet", "GET", events],
  ])("%s", async (_name, method, begun) => {
    const lines = method === "POST" ? ["content-length: 0"] : [];
    const client = await house.ask(request("/api/x", lines, method), say(begun));
    await eventually("it is asked", () => house.asked.length === 1);
    if (begun.includes("half")) await eventually("it answers", () => client.text.includes("half"));
    client.leave();
    await eventually("the office hears of it", () => house.asked[0]?.closed);
    await eventually("it is let go of", () => house.held.now === 0 && house.gate.running === 0);
    expect(house.asked).toHaveLength(1);
  });
});
