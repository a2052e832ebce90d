// Three servers that are started at once on a database that has nothing in it, as by one deployment.
import { expect, test } from "bun:test";
import { TestServer } from "../server.ts";
import { POSTGRES } from "../store/engines.ts";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();

test.each([1, 2, 3, 4, 5])(
  "all of them serve, and one makes the first account (try %d)",
  async () => {
    const { settings, run } = await POSTGRES.emptySite(parts);
    const starts = [0, 1, 2].map(() => TestServer.start(settings));
    const started = await Promise.allSettled(starts);
    for (const each of started) {
      if (each.status === "fulfilled") parts.adopt(each.value, (server) => server.kill());
    }
    expect(started.filter(({ status }) => status === "rejected")).toEqual([]);
    const servers = await Promise.all(starts);
    const [key, ...others] = servers.map(({ firstKey }) => firstKey).filter(Boolean);
    expect(others).toEqual([]);
    for (const server of servers) {
      const models = await server.fetch("/models", key ?? "");
      expect(models.status).toBe(200);
    }
    expect(await run("select id from accounts where operator = 1")).toHaveLength(1);
    expect(await run("select kind from entries")).toMatchObject([{ kind: "trial" }]);
    for (const server of servers) expect(await server.stop()).toBe(0);
  },
);
