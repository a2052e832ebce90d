import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { freePort } from "../../../test/support/free-port.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { holdPort } from "./held-port.ts";

const parts = partsOfTest();
const HOST = "127.0.0.1";
const MODULE = join(import.meta.dir, "held-port.ts");

function hold(hostname: string, port: number): () => void {
  const release = holdPort({ hostname, port });
  parts.defer(async () => release());
  return release;
}

/** Why somebody else does not get it; undefined where they do. */
function refusal(take: () => void): string | undefined {
  try {
    take();
    return undefined;
  } catch (thrown) {
    return (thrown as { code?: string }).code;
  }
}

/** As a gate listens that has the port to itself, or shares it. */
function listen(hostname: string, port: number, reusePort: boolean, text = "") {
  const server = Bun.serve({ hostname, port, reusePort, fetch: () => new Response(text) });
  parts.defer(() => server.stop(true));
  return server;
}

const ask = async (port: number) =>
  (await fetch(`http://${HOST}:${port}`, { headers: { connection: "close" } })).text();

// Elsewhere a port is looked at and not held.
describe.skipIf(process.platform !== "linux")("a port that is held", () => {
  test("is nobody else's while nobody listens on it, and those who share it come and go", async () => {
    const port = await freePort();
    const release = hold(HOST, port);
    const othersAreRefused = () => {
      expect(refusal(() => holdPort({ hostname: HOST, port }))).toBe("EADDRINUSE");
      expect(refusal(() => listen(HOST, port, false))).toBe("EADDRINUSE");
    };
    othersAreRefused();
    for (const round of ["first", "second"]) {
      const gates = [listen(HOST, port, true, round), listen(HOST, port, true, round)];
      othersAreRefused();
      // None of the connections goes to whoever only holds it.
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(port)));
      expect(new Set(answers)).toEqual(new Set([round]));
      await Promise.all(gates.map((gate) => gate.stop(true)));
      othersAreRefused();
    }
    release();
    expect(refusal(() => hold(HOST, port))).toBeUndefined();
  });

  test.each([
    ["127.0.0.1", "0.0.0.0"],
    ["0.0.0.0", "127.0.0.1"],
    ["::", "127.0.0.1"],
    ["127.0.0.1", "::"],
    ["localhost", "0.0.0.0"],
    ["0.0.0.0", "localhost"],
  ])("as %s is nobody's as %s", async (one, other) => {
    const port = await freePort();
    hold(one, port);
    expect(refusal(() => hold(other, port))).toBe("EADDRINUSE");
    // The gates of whoever holds it are let in.
    expect(refusal(() => listen(one, port, true))).toBeUndefined();
  });

  test("on one address is anybody's on another one", async () => {
    const port = await freePort();
    hold(HOST, port);
    expect(refusal(() => hold("127.0.0.2", port))).toBeUndefined();
  });

  test("is free as soon as its process is killed, whatever that has started and whoever was connected", async () => {
    const port = await freePort();
    const script = `
      const { holdPort } = await import(${JSON.stringify(MODULE)});
      const place = { hostname: "${HOST}", port: ${port} };
      holdPort(place);
      Bun.serve({ ...place, reusePort: true, fetch: () => new Response("up") });
      const left = Bun.spawn(["sleep", "600"], { stdio: ["ignore", "ignore", "ignore"] });
      console.log(left.pid);`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    parts.defer(() => child.kill("SIGKILL"));
    const { value } = await child.stdout.getReader().read();
    const left = Number(new TextDecoder().decode(value));
    parts.defer(async () => void process.kill(left, "SIGKILL"));
    expect(await eventually("it serves", () => ask(port).catch(() => undefined))).toBe("up");
    child.kill("SIGKILL");
    await child.exited;
    expect(refusal(() => hold(HOST, port))).toBeUndefined();
  });
});

test("a port that somebody has is not taken", async () => {
  const { port = 0 } = listen(HOST, 0, true);
  expect(refusal(() => holdPort({ hostname: HOST, port }))).toBe("EADDRINUSE");
});
