import { expect, test } from "bun:test";
import { freePort, PORT_MAX } from "./free-port.ts";

test("a port to be told is free, and below those that systems give by themselves", async () => {
  const port = await freePort();
  expect(port).toBeLessThan(PORT_MAX);
  const told = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response("here") });
  try {
    expect(await (await fetch(told.url)).text()).toBe("here");
  } finally {
    await told.stop(true);
  }
});
