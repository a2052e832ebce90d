// Several processes on one database: what one has refused counts at the others.
import { expect, test } from "bun:test";
import { TestServer } from "../server.ts";
import { POSTGRES } from "../store/engines.ts";
import { perFile } from "../support/houses/house.ts";
import { startServer } from "../support/houses/serving.ts";
import { RESPONSES } from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

const RPM = 12;

const { database, servers } = await perFile(async (parts) => {
  const site = await POSTGRES.site(parts);
  const adopt = (server: TestServer) => parts.adopt(server, (started) => started.kill());
  const first = adopt(await startServer(site.settings));
  // A process of its own, so that they have nothing in common but the database.
  const second = adopt(await TestServer.start(site.settings));
  return { database: site, servers: [first, second] as const };
});

async function counted(keyId: string, requests: number): Promise<void> {
  await eventually(`${requests} requests are counted`, async () => {
    const [row] = await database.run(
      `select sum(requests) as requests from rate_seconds where key_id = '${keyId}'`,
    );
    return Number(row?.requests) >= requests;
  });
}

test("a key has its requests per minute once, not once at each process", async () => {
  const [first, second] = servers;
  const { key, keyId } = await first.account("1", "--rpm", String(RPM));
  const body = RESPONSES.request("x", { model: "nobody-has-this" });
  for (let sent = 1; sent < RPM; sent++) {
    expect((await first.post("/responses", key, body)).status).toBe(404);
    await counted(keyId, sent);
  }
  // The other process has seen none of them. What it hears from the store, it hears after its answer.
  let passed = 0;
  await eventually("the other one turns the key away", async () => {
    const { status } = await second.post("/responses", key, body);
    if (status === 404) await counted(keyId, RPM - 1 + ++passed);
    return status === 429;
  });
  expect(passed).toBeLessThan(RPM / 2);
});
