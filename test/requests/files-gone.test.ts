// A server whose files are deleted or replaced while it runs.
import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { perFile } from "../support/houses/house.ts";
import { serveMock } from "../support/houses/serving.ts";
import { eventually } from "../support/waiting.ts";

const { server, database, key } = await perFile(serveMock);

test("answers 503 to clients and to whoever asks if it is ready, and goes on when they are back", async () => {
  const ask = () => server.post("/responses", key, { model: "gpt-6-luna", input: "Say hello." });
  const ready = async () => (await fetch(new URL("/readyz", server.url))).status;
  expect((await ask()).status).toBe(200);
  expect(await ready()).toBe(200);
  const path = join(database.settings.FAREGATE_DATA, "faregate.sqlite");
  renameSync(path, `${path}.aside`);
  await eventually("it is noticed", async () => (await ready()) === 503);
  const refused = await ask();
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).not.toBeNull();
  expect(await refused.json()).toMatchObject({ error: { code: "storage_unavailable" } });
  renameSync(`${path}.aside`, path);
  await eventually("it is back", async () => (await ready()) === 200);
  expect((await ask()).status).toBe(200);
  expect(await database.run("select id from receipts where status = 200")).toHaveLength(2);
});
