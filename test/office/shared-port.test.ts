// The port of several gates: one server has it, also while none of its gates listens.
import { expect, test } from "bun:test";
import { ENTRY, environment } from "../cli/commands.ts";
import { TestServer } from "../server.ts";
import { POSTGRES } from "../store/engines.ts";
import { freePort } from "../support/free-port.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { eventually } from "../support/waiting.ts";
import { childrenOf, isAlive } from "./processes.ts";

const parts = partsOfTest();

/** `faregate serve`, that comes up or does not. */
function serving(settings: Record<string, string>) {
  const child = Bun.spawn([process.execPath, ENTRY, "serve"], {
    ...{ env: environment(settings), stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  parts.defer(async () => {
    child.kill("SIGKILL");
    await child.exited;
  });
  return child;
}

/** A database that takes connections, and says nothing. */
function silentPostgres() {
  const isAsked = Promise.withResolvers<void>();
  const listener = Bun.listen({
    ...{ hostname: "127.0.0.1", port: 0 },
    socket: { data() {}, open: () => isAsked.resolve() },
  });
  parts.defer(async () => listener.stop(true));
  return { url: `postgres://faregate@127.0.0.1:${listener.port}/faregate`, asked: isAsked.promise };
}

test.skipIf(process.platform !== "linux")(
  "another server is refused the port of one whose gates do not listen yet",
  async () => {
    const port = String(await freePort());
    const { url, asked } = silentPostgres();
    const place = { FAREGATE_DATA: parts.folder(), FAREGATE_PORT: port, FAREGATE_WORKERS: "2" };
    const first = serving({ ...place, DATABASE_URL: url });
    await asked;
    const { settings } = await POSTGRES.site(parts);
    const others = [
      {},
      { FAREGATE_HOST: "0.0.0.0" },
      { FAREGATE_HOST: "localhost" },
      { FAREGATE_WORKERS: "1" },
    ];
    for (const other of others) {
      const second = serving({ ...place, ...settings, FAREGATE_PORT: port, ...other });
      const { FAREGATE_HOST: host = "127.0.0.1" } = other;
      const said = new Response(second.stderr).text();
      expect(await second.exited).toBe(2);
      expect(await said).toContain(
        `port ${port} of ${host} is in use; set FAREGATE_PORT to another one`,
      );
    }
    expect(first.exitCode).toBeNull();
  },
);

test("a server that was killed has its port again at once", async () => {
  const port = await freePort();
  const { settings } = await POSTGRES.site(parts);
  const all = { ...settings, FAREGATE_PORT: String(port), FAREGATE_WORKERS: "2" };
  const start = async () =>
    parts.adopt(await TestServer.start(all), (running: TestServer) => running.kill());
  const killed = await start();
  const gates = childrenOf(killed.pid);
  await killed.kill();
  const next = await start();
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  await eventually("nothing of the one that was killed is left", () => !gates.some(isAlive));
  expect(await next.stop()).toBe(0);
});
