// Real servers of two versions on one PostgreSQL, while clients call them: the newer one is this program with one
// more version of each room's tables.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { faregate } from "../cli/commands.ts";
import { TestServer } from "../server.ts";
import { earlierVersionsOn, leaveEarlierBooks, versionsOn } from "../store/earlier-books.ts";
import { ENGINES, POSTGRES } from "../store/engines.ts";
import { Parts, partsOfTest } from "../support/houses/house.ts";

const NEXT = join(import.meta.dir, "..", "support", "next-version.ts");
type Kind = "expand" | "contract" | "contract rooms";
const newer = (kind: Kind) => ({
  BUN_OPTIONS: `--preload=${NEXT}`,
  NEXT_VERSION: kind,
});

const parts = partsOfTest();

async function start(settings: Record<string, string>): Promise<TestServer> {
  const started = await TestServer.start(settings);
  return parts.adopt(started, (server) => server.kill());
}

/** What a client is answered, and the pages; each is for the gate or its office. */
async function expectServing(server: TestServer, key: string): Promise<void> {
  const asked = { model: "sandbox-1.0", input: "hello" };
  expect((await server.post("/responses", key, asked)).status).toBe(200);
  expect((await server.fetch("/key", key)).status).toBe(200);
  const origin = new URL(server.url).origin;
  for (const path of ["/readyz", "/console", "/openapi.json"]) {
    expect((await fetch(origin + path)).status).toBe(200);
  }
}

describe("two versions on one PostgreSQL", () => {
  test("serve side by side, and the older one starts again", async () => {
    const { settings, run } = await POSTGRES.emptySite(parts);
    const older = await start(settings);
    const key = older.firstKey;
    await expectServing(older, key);
    const answers: Promise<void>[] = [];
    const starting = start({ ...settings, ...newer("expand") });
    let isStarting = true;
    const started = starting.finally(() => {
      isStarting = false;
    });
    while (isStarting) {
      const answer = expectServing(older, key);
      answers.push(answer);
      await answer;
    }
    const second = await started;
    expect(answers.length).toBeGreaterThan(0);
    const applied = await run("select version from applied_versions where room = 'money'");
    expect(applied).toHaveLength(versionsOn(POSTGRES) + 1);
    await Promise.all([expectServing(older, key), expectServing(second, key)]);
    expect(await older.stop()).toBe(0);
    const again = await start(settings);
    await Promise.all([expectServing(again, key), expectServing(second, key)]);
    const verified = await faregate(["verify", "--json"], settings);
    expect(verified).toMatchObject({ code: 0, stderr: "" });
    for (const server of [again, second]) expect(await server.stop()).toBe(0);
  });

  test.each(["contract", "contract rooms"] as const)(
    "do not when the newer one takes something away (%s): each says which has to go",
    async (kind) => {
      const { settings } = await POSTGRES.emptySite(parts);
      const older = await start(settings);
      await expectServing(older, older.firstKey);
      const contracting = { ...settings, ...newer(kind) };
      const refused = await faregate(["serve"], { ...contracting, FAREGATE_PORT: "0" });
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(
        "A Faregate of an earlier version serves from this database",
      );
      await expectServing(older, older.firstKey);
      expect(await older.stop()).toBe(0);
      const second = await start(contracting);
      await expectServing(second, older.firstKey);
      const late = await faregate(["serve"], { ...settings, FAREGATE_PORT: "0" });
      expect(late.code).toBe(2);
      expect(late.stderr).toMatch(/^faregate: .*newer Faregate.*Upgrade this one/);
      expect(await second.stop()).toBe(0);
    },
  );
});

describe.each(ENGINES)("a server on $name", (engine) => {
  const versions = earlierVersionsOn(engine);

  test.each(versions)("starts on books of version %i and serves", async (version) => {
    await using own = new Parts();
    const site = await engine.emptySite(own);
    await leaveEarlierBooks(site, version);
    const server = await start(site.settings);
    const { key } = await server.account("1");
    await expectServing(server, key);
    const verified = await faregate(["verify", "--json"], site.settings);
    expect(verified).toMatchObject({ code: 0 });
    expect(await server.stop()).toBe(0);
  });
});
