// Servers that are killed while they push a draft, and those who go on with it.
import { describe, expect, test } from "bun:test";
import { TestServer } from "../server.ts";
import { ENGINES, type Engine, POSTGRES } from "../store/engines.ts";
import { count, isFull } from "../support/counts.ts";
import { type DraftAnswer, platformOf } from "../support/houses/drafts-server.ts";
import { type Parts, perSuite } from "../support/houses/house.ts";
import { picture } from "../support/samples/pictures.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

const ROUNDS = count(1, 5);
const HELD_MS = 20_000;

/** Where the platform is at work when the server dies; it dies with it. */
const MOMENTS: [string, JsonObject][] = [
  ["a picture is on its way", { route: "/cgi-bin/material/add_material", delay_ms: HELD_MS }],
  ["the draft is on its way", { route: "/cgi-bin/draft/add", delay_ms: HELD_MS }],
  [
    "the draft is stored and nobody was told",
    { route: "/cgi-bin/draft/add", drop_after_commit: true },
  ],
  ["the draft is stored and known", { route: "/cgi-bin/draft/get", delay_ms: HELD_MS }],
];

let made = 0;

/** Each with a cover of its own, which is uploaded: to draw one takes longer than all the rest. */
async function bodyOf(title: string): Promise<JsonObject> {
  const height = 10 + Number(title.split(" ")[1]);
  const cover = (await picture("png", 24, height)).toString("base64");
  return {
    markdown: `# ${title}\n\nwords of ${title}`,
    cover: { data: `data:image/png;base64,${cover}` },
  };
}

class House {
  readonly #parts: Parts;
  readonly #settings: Record<string, string>;
  readonly #expire: () => Promise<void>;
  /** Of those on PostgreSQL the second one lives on. */
  readonly servers: TestServer[] = [];
  #key = "";

  private constructor(parts: Parts, settings: Record<string, string>, expire: () => Promise<void>) {
    this.#parts = parts;
    this.#settings = settings;
    this.#expire = expire;
  }

  static async open(parts: Parts, engine: Engine): Promise<House> {
    const site = await engine.site(parts);
    const settings = {
      ...{
        ...site.settings,
        FAREGATE_SANDBOX: "on",
        FAREGATE_DRAFT_CALLS_PER_MINUTE: "100000",
        FAREGATE_DRAFT_CALLS_PER_ACCOUNT: "100000",
      },
    };
    /** Lets the time pass after which who was killed counts as dead. */
    const expire = async () => {
      const sql = await site.console();
      await sql.query("update draft_pushes set lease_until = 0 where lease_until > 0");
      await sql.query("update draft_keys set lease_until = 0 where draft_id is null");
      await sql.query("update draft_tokens set turn_until = 0");
    };
    const house = new House(parts, settings, expire);
    await house.start(0);
    if (engine === POSTGRES) await house.start(1);
    return house;
  }

  async start(at: number): Promise<void> {
    const server = await TestServer.start(this.#settings);
    this.servers[at] = this.#parts.adopt(server, (started) => started.kill());
    if (server.firstKey !== "") this.#key = server.firstKey;
  }

  server(at: number): TestServer {
    const server = this.servers[at] ?? this.servers[0];
    if (!server) throw new Error("no server runs");
    return server;
  }

  /** What was answered, if anything was. */
  async post(at: number, title: string): Promise<DraftAnswer | undefined> {
    const body = await bodyOf(title);
    const headers = { "idempotency-key": title };
    try {
      const answer = await this.server(at).post("/drafts", this.#key, body, headers);
      const draft = (await answer.json()) as DraftAnswer;
      expect({ ok: answer.ok, draft }).toMatchObject({ ok: true });
      return draft;
    } catch (thrown) {
      if (thrown instanceof TypeError || (thrown as { code?: string }).code) return undefined;
      throw thrown;
    }
  }

  async kill(): Promise<void> {
    await this.server(0).kill();
    await this.#expire();
  }
}

describe.each(ENGINES)("a server that is killed while it pushes, on $name", (engine) => {
  const house = perSuite((parts) => House.open(parts, engine));

  // On PostgreSQL, where another server lives on, the moments that it may mistake for its own; on SQLite the last.
  // In full all of them on both: each takes the start of a server and of its office.
  const some = engine === POSTGRES ? MOMENTS.slice(1, 3) : MOMENTS.slice(3);
  const moments = isFull ? MOMENTS : some;

  test.each(moments)("when %s leaves one draft", async (_words, fault) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const title = `Killed ${++made}`;
      const platform = platformOf(house.server(0));
      await platform.controlled("POST", "faults", fault);
      const cut = [house.post(0, title), house.post(0, title)];
      await eventually("the platform is at work", async () => {
        const { data } = await platform.controlled("GET", "faults");
        return (data as unknown[]).length === 0;
      });
      // Somebody waits at the other server, where there is one.
      const waiting = house.servers.length > 1 ? house.post(1, title) : undefined;
      await house.kill();
      await Promise.all(cut);
      await house.start(0);
      const again = await Promise.all([house.post(0, title), house.post(1, title), waiting]);
      const told = [...new Set(again.flatMap((draft) => (draft ? [draft.media_id] : [])))];
      expect(again.slice(0, 2)).not.toContain(undefined);
      expect(await platformOf(house.server(0)).box(title)).toEqual(told.map(String));
    }
  });
});
