import { expect, test } from "bun:test";
import { freePort, PORT_MAX } from "./free-port.ts";

test("a port to be told is none that the system gives to others meanwhile", async () => {
  const port = await freePort();
  expect(port).toBeLessThan(PORT_MAX);
  const given = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const told = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response("here") });
  try {
    expect(given.port).toBeGreaterThan(PORT_MAX);
    expect(await (await fetch(told.url)).text()).toBe("here");
  } finally {
    await Promise.all([given.stop(true), told.stop(true)]);
  }
});
