// Gate and office as two processes: what each does while the other is not there, dies or has nothing to do.
import { describe, expect, test } from "bun:test";
import { TestServer } from "../server.ts";
import { ENGINES, type Engine, SQLITE } from "../store/engines.ts";
import { type Parts, perSuite } from "../support/houses/house.ts";
import { operatorToken } from "../support/houses/operator-token.ts";
import { MockVendor, pausedEvents, streamOf } from "../support/vendors/mock-vendor.ts";
import { comesTrue, eventually } from "../support/waiting.ts";
import { childrenOf, isAlive, nicenessOf } from "./processes.ts";

/** Often enough that nobody waits for it. */
const LOOKS = { FAREGATE_OFFICE_LOOK_MS: "50" };
/** Not so short that it would come anew for each of several requests. */
const SHORT = { ...LOOKS, FAREGATE_OFFICE_IDLE_MS: "400" };

async function start(parts: Parts, settings: Record<string, string>, engine: Engine = SQLITE) {
  const site = await engine.site(parts);
  const vendor = parts.keep(new MockVendor());
  const all = { ...site.settings, ...vendor.settings, ...settings };
  const server = parts.adopt(await TestServer.start(all), (running) => running.kill());
  const ask = (path: string, init?: RequestInit) => fetch(new URL(path, server.url), init);
  return { site, server, vendor, ask };
}

/** The office, once it is there. */
function officeOf({ server, ask }: Awaited<ReturnType<typeof start>>): Promise<number> {
  return eventually("a page has brought the office", async () => {
    expect((await ask("/console")).status).toBe(200);
    // One that may rest soon may be gone by now, and comes with the next page.
    return childrenOf(server.pid)[0];
  });
}

/** The office does nothing any more, and does not know of it. */
function freeze(pid: number): void {
  process.kill(pid, "SIGSTOP");
}

const CHAT = {
  model: "gpt-5.2",
  stream: true,
  messages: [{ role: "user", content: "hi" }],
};

// Tests of a suite share its server, in their order: to start one takes longer than what most of them do.
describe("the office", () => {
  const house = perSuite((parts) => start(parts, LOOKS));

  test("is not there for models, and comes with the first page", async () => {
    const { server, ask } = house;
    const { key } = await server.account("10");
    const answer = await server.post("/chat/completions", key, { ...CHAT, stream: false });
    expect([answer.status, childrenOf(server.pid)]).toEqual([200, []]);
    expect((await ask("/console")).status).toBe(200);
    expect(childrenOf(server.pid)).toHaveLength(1);
    // What is not there at all is said by the gate itself.
    expect(await (await ask("/nowhere")).json()).toMatchObject({ error: { code: "unknown_url" } });
    expect((await ask("/api/me")).status).toBe(401);
  });

  test("stands back behind the gate where both want a core", async () => {
    const office = await officeOf(house);
    expect(nicenessOf(office)).toBeGreaterThan(nicenessOf(house.server.pid));
  });

  test("killed while a stream runs: the stream goes on, and the next page is answered", async () => {
    const { server, vendor } = house;
    const gate = Promise.withResolvers<void>();
    vendor.play((call) => streamOf(pausedEvents(call, gate.promise)));
    const { key } = await server.account("10");
    const office = await officeOf(house);
    const stream = await server.post("/chat/completions", key, CHAT);
    const reader = stream.body?.getReader();
    const first = await reader?.read();
    process.kill(office, "SIGKILL");
    await eventually("the office is gone", () => !isAlive(office));
    gate.resolve();
    let text = new TextDecoder().decode(first?.value);
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      text += new TextDecoder().decode(next.value);
    }
    expect(text).toContain("brown ");
    expect(text).toEndWith("data: [DONE]\n\n");
    expect(await officeOf(house)).not.toBe(office);
  });

  test("killed while it is asked: what only reads is asked again, what may have changed something is not", async () => {
    const { ask } = house;
    const office = await officeOf(house);
    freeze(office);
    const reading = ask("/console");
    const changing = ask("/api/auth/sign-out", { method: "POST" });
    const answers = Promise.all([reading, changing]);
    // Both are on their way: the gate answers what comes after them on its own.
    for (let i = 0; i < 5; i++) await ask("/healthz");
    process.kill(office, "SIGKILL");
    const [read, changed] = await answers;
    expect(read.status).toBe(200);
    expect([changed.status, changed.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await changed.json()).toMatchObject({ error: { code: "office_unavailable" } });
  });

  test("hangs up on a client where it is told to, through the gate", async () => {
    const { server, ask } = house;
    const authorization = `Bearer ${await operatorToken(server)}`;
    const headers = { authorization, "content-type": "application/json" };
    const calls = [
      ["/cgi-bin/draft/add", { method: "POST", body: "{}" }],
      ["/cgi-bin/token", {}],
    ] as const;
    for (const [route, init] of calls) {
      const body = JSON.stringify({ route, drop_before_commit: true });
      const told = await ask("/platform/__sandbox/faults", { method: "POST", headers, body });
      expect(told.status).toBe(201);
      // A connection of its own, since Bun would ask again by itself over one that was kept.
      const call = () => ask(`/platform${route}`, { ...init, keepalive: false });
      const cut = await call().then(
        ({ status }) => status,
        (thrown: { code: string }) => thrown.code,
      );
      expect(cut).toBe("ECONNRESET");
      expect((await call()).status).toBe(200);
    }
  });

  test("ends with its gate, however that ends", async () => {
    const office = await officeOf(house);
    await house.server.kill();
    await eventually("the office is gone", () => !isAlive(office));
  });
});

describe.each(ENGINES)("where an office rests soon, on $name", (engine) => {
  const house = perSuite((parts) => start(parts, SHORT, engine));

  test("a notice that is due brings the office, which sends it", async () => {
    const { server } = house;
    expect(childrenOf(server.pid)).toEqual([]);
    await server.beside(async ({ store }) => {
      await store.sql.query(
        `insert into notices values ('ntc_1', 'acct_1', 'test', 'email', 'a@b.test', 's', 't', 'h', 'l', 1,
           'queued', 0, 1, null, null)`,
      );
      await comesTrue(async () => {
        const [row] = await store.sql.query("select state from notices where id = 'ntc_1'");
        expect(row).toEqual({ state: "sent" });
      });
    });
    await eventually("the office is gone", () => childrenOf(server.pid).length === 0);
  });

  // How long it rests has nothing to do with the database.
  if (engine === SQLITE) {
    test("the office stays while a test has moved the platform's time, which would end with it", async () => {
      const { server, ask } = house;
      const headers = {
        authorization: `Bearer ${await operatorToken(server)}`,
        "content-type": "application/json",
      };
      const move = async (ms: number) => {
        const body = JSON.stringify({ offset_ms: ms });
        const moved = await ask("/platform/__sandbox/clock", { method: "PUT", headers, body });
        expect(await moved.json()).toMatchObject({ offset_ms: ms });
      };
      await move(7_200_000);
      const [office = 0] = childrenOf(server.pid);
      // Many looks, each of which would have ended it.
      for (let looks = 0; looks < 20; looks++) await Bun.sleep(100);
      expect(childrenOf(server.pid)).toEqual([office]);
      const { offset_ms } = (await (
        await ask("/platform/__sandbox/clock", { headers })
      ).json()) as {
        offset_ms: number;
      };
      expect(offset_ms).toBe(7_200_000);
      await move(0);
      await eventually("the office is gone", () => !isAlive(office));
    });

    test("the office ends when nobody needs it, and comes again", async () => {
      const office = await officeOf(house);
      await eventually("the office is gone", () => !isAlive(office));
      expect(await officeOf(house)).not.toBe(office);
    });
  }

  test("what operators set holds for the very next request of a client", async () => {
    const { server, vendor, ask } = house;
    const { key } = await server.account("10");
    const authorization = `Bearer ${await operatorToken(server)}`;
    const headers = { authorization, "content-type": "application/json" };
    const listed = async () => {
      const { data } = (await (await server.fetch("/models", key)).json()) as {
        data: { id: string }[];
      };
      return data.map(({ id }) => id);
    };
    for (const name of ["one", "two", "three"]) {
      expect(await listed()).not.toContain(name);
      const price = { input: "1", output: "2" };
      const body = JSON.stringify({
        ...{ vendor: "custom", base_url: vendor.url, keys: ["sk-1"], models: [name] },
        new_models: [
          {
            id: name,
            owned_by: "us",
            endpoints: ["chat"],
            context: 8_000,
            max_output: 1_000,
            price,
          },
        ],
      });
      const made = await ask("/api/operator/channels", { method: "POST", headers, body });
      expect([made.status, await made.text()]).toEqual([201, expect.any(String)]);
      expect(await listed()).toContain(name);
    }
    const tested = await ask("/api/operator/channels/custom-1/test", {
      ...{ method: "POST", headers, body: "{}" },
    });
    expect(await tested.json()).toMatchObject({ object: "channel_test", ok: true });
    const system = await ask("/api/operator/system", { headers });
    expect(await system.json()).toMatchObject({ object: "system", requests_ended: 0 });
    const metrics = await (await ask("/metrics", { headers })).text();
    expect(metrics).toContain('faregate_channel_up{channel="custom-1"');
    expect(metrics).toContain("faregate_draft_calls_waiting 0");
    expect(await server.stop()).toBe(0);
  });
});
