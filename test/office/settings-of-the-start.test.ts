// A server has the settings of its start, and so has an office that it starts later.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENTRY, environment } from "../cli/commands.ts";
import { TestServer } from "../server.ts";
import { SQLITE } from "../store/engines.ts";
import { freePort } from "../support/free-port.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { operatorToken } from "../support/houses/operator-token.ts";
import { eventually } from "../support/waiting.ts";

const parts = partsOfTest();

/** A model that nobody ships, at this price. */
const fileWith = (input: string) =>
  `models: [{ id: campus-7.1, owned_by: us, context: 8000, max_output: 1000, endpoints: [chat],
    upstream: { sandbox: sandbox-1.0 }, price: { input: "${input}", output: "${input}" } }]\n`;
const BROKEN = "models: [";

test("an office comes though the file does not fit any more, and where one was written that was not there", async () => {
  const { settings } = await SQLITE.site(parts);
  const folder = parts.folder();
  const port = await freePort();
  const server = Bun.spawn([process.execPath, ENTRY, "serve"], {
    env: environment({ ...settings, FAREGATE_PORT: String(port) }),
    ...{ cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  });
  parts.defer(() => server.kill("SIGKILL"));
  const origin = `http://127.0.0.1:${port}`;
  await eventually("it serves", () =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  // Of what stands there now nothing could start.
  writeFileSync(join(folder, "faregate.yaml"), BROKEN);
  writeFileSync(join(folder, ".env"), "FAREGATE_SIGNUP=nobody\n");
  expect((await fetch(`${origin}/console`)).status).toBe(200);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
});

test("what the console shows of a file is what the gate has read of it", async () => {
  const { settings } = await SQLITE.site(parts);
  const path = join(parts.folder(), "faregate.yaml");
  writeFileSync(path, fileWith("3"));
  const server = await TestServer.start({ ...settings, FAREGATE_CONFIG: path });
  parts.adopt(server, (running) => running.kill());
  writeFileSync(path, fileWith("5"));
  const token = await operatorToken(server);
  const shown = await fetch(new URL("/api/operator/models/campus-7.1", server.url), {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await shown.json()).toMatchObject({ prices: [{ input: "3.0" }] });
  expect(await server.stop()).toBe(0);
});
