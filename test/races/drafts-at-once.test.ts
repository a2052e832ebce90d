// Calls for one draft that meet each other, from outside: real servers, the built-in platform, plain HTTP.
import { describe, expect, test } from "bun:test";
import { TestServer } from "../server.ts";
import { POSTGRES, SQLITE } from "../store/engines.ts";
import { keyFacts, nano } from "../support/books.ts";
import { isHurried } from "../support/counts.ts";
import { gauge, METRICS_PUBLIC } from "../support/gauges.ts";
import {
  ARTICLE,
  type DraftAnswer,
  draftsServer,
  SCRIPTED_MODEL,
} from "../support/houses/drafts-server.ts";
import { type Parts, perSuite } from "../support/houses/house.ts";
import { picture } from "../support/samples/pictures.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

const SIX = [0, 1, 2, 3, 4, 5];
const ADD = "/cgi-bin/draft/add";
const LIST = "/cgi-bin/draft/batchget";
/** Until it is let go; the platform would think no longer than this by itself. */
const HELD = { delay_ms: 600_000 };
/** Long enough for whoever is to come while the platform thinks, where it cannot be let go. */
const SLOW = { delay_ms: 5_000 };
const SETTINGS = {
  ...METRICS_PUBLIC,
  FAREGATE_DRAFTS_PUBLISH: "on",
  FAREGATE_DRAFT_CALLS_PER_MINUTE: "100000",
  FAREGATE_DRAFT_CALLS_PER_ACCOUNT: "100000",
  // Who waits looks again four times as often, and a box is read as soon after a lost answer.
  FAREGATE_DRAFT_PACE_PERCENT: "25",
  FAREGATE_PLATFORM_PUBLISH_MS: "50",
};

interface Report {
  readonly status: number;
  readonly body: Partial<DraftAnswer> & { readonly error?: JsonObject };
}

let made = 0;
const newTitle = () => `At once ${++made}`;
/** A cover that is there: to draw one takes longer than all the rest. */
const COVER = `data:image/png;base64,${(await picture("png", 24, 10)).toString("base64")}`;
const markdown = (title: string) => ({
  markdown: `# ${title}\n\nwords of ${title}`,
  cover: { data: COVER },
});

/** Servers on one database. The platform's faults are those of the first, where drafts are sent from there. */
async function openHouse(parts: Parts, engine: typeof SQLITE) {
  const first = await draftsServer(parts, SETTINGS, engine);
  const servers = [first.server];
  if (engine === POSTGRES) {
    const settings = { ...first.database.settings, ...first.vendor.settings, ...SETTINGS };
    const second = await TestServer.start({ FAREGATE_SANDBOX: "on", ...settings });
    servers.push(parts.adopt(second, (server) => server.kill()));
  }
  const send = async (method: string, path: string, body?: unknown, more: Sending = {}) => {
    const server = servers[(more.at ?? 0) % servers.length] ?? first.server;
    const response = await server.fetch(path, first.server.firstKey, {
      method,
      headers: { "content-type": "application/json", ...more.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Report["body"] };
  };
  return {
    ...first,
    send,
    post: (path: string, body: unknown, more?: Sending) => send("POST", path, body, more),
    /** What happens to the next calls of the first server's platform. */
    fault: (members: JsonObject) =>
      first.controlled("POST", "faults", { route: ADD, count: 1, ...members }),
    /** The platform has taken the call that it thinks about. */
    met: () =>
      eventually("the platform is called", async () => {
        const { data } = await first.controlled("GET", "faults");
        return (data as unknown[]).length === 0;
      }),
    servers,
    /** Resolves when so many calls wait for another one's, at all servers together. */
    waiting: (calls: number) =>
      eventually(`${calls} calls wait`, async () => {
        const told = servers.map(({ url }) => gauge(url, "draft_calls_waiting"));
        const each = await Promise.all(told);
        return each.reduce((sum, some) => sum + some, 0) === calls;
      }),
    /** The platform goes on with the call that it holds. */
    letGo: () => first.controlled("DELETE", "faults"),
    async addCalls(): Promise<number> {
      const { data } = await first.controlled("GET", "requests?limit=1000");
      return (data as JsonObject[]).filter((call) => Object.values(call).includes(ADD)).length;
    },
  };
}

interface Sending {
  readonly at?: number;
  readonly headers?: Record<string, string>;
}

/** All were told the same, which is what one was told. */
function expectSame(all: readonly Report[], status: number): Report["body"] {
  for (const { status: each, body } of all) expect({ each, body }).toMatchObject({ each: status });
  const [first] = all;
  const told = ({ id, media_id, error }: Report["body"]) => ({ id, media_id, error });
  for (const { body } of all) expect(told(body)).toEqual(told(first?.body ?? {}));
  return first?.body ?? {};
}

describe.each([SQLITE, POSTGRES])("calls that meet on $name", (engine) => {
  const house = perSuite((parts) => openHouse(parts, engine));
  let turns = engine === SQLITE ? 0 : 1;
  /** Some calls meet on each of the databases, turn by turn, in a run of everything; else all of them on both. */
  const turn = (name: string, meet: () => Promise<void>) => {
    turns += 1;
    if (!isHurried || turns % 2 === 0) test(name, meet);
  };
  const withKey = (key: string, at = 0) => ({ at, headers: { "idempotency-key": key } });

  /** Another body with the same key is refused everywhere, while somebody has the key. */
  async function expectRefused(path: string, body: object, key: string): Promise<void> {
    for (const at of house.servers.keys()) {
      const other = await house.post(path, body, withKey(key, at));
      expect([other.status, other.body.error?.code]).toEqual([409, "idempotency_conflict"]);
    }
  }

  /** Six with one key, of which one asks the model; it answers when the others wait for that one. */
  async function sixWaitForModel(path: string, form: object, key: string): Promise<Report[]> {
    const other = "text" in form ? { ...form, text: "Another" } : { ...form, brief: "another" };
    const { script } = house.vendor;
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    house.vendor.script = async (call) => {
      asked.resolve();
      await answer.promise;
      return script(call);
    };
    try {
      const all = SIX.map((at) => house.post(path, form, withKey(key, at)));
      await asked.promise;
      await house.waiting(SIX.length - 1);
      await expectRefused(path, other, key);
      answer.resolve();
      return await Promise.all(all);
    } finally {
      answer.resolve();
      house.vendor.script = script;
    }
  }

  /** So many wait for the push that the platform holds, which it then goes on with. */
  async function letGoWhenWait(calls: number): Promise<void> {
    await house.waiting(calls);
    await house.letGo();
  }

  /** A draft that the platform has refused. */
  async function refusedDraft(title: string): Promise<string> {
    await house.fault({ errcode: 45003 });
    const { body } = await house.post("/drafts", markdown(title));
    return String(body.error?.draft_id);
  }

  turn("six with one key make one draft, and are told of the same one", async () => {
    const title = newTitle();
    await house.fault({ ...HELD, drop_after_commit: true });
    const first = house.post("/drafts", markdown(title), withKey(title));
    await house.met();
    const late = SIX.map((at) => house.post("/drafts", markdown(title), withKey(title, at)));
    await house.waiting(SIX.length);
    await expectRefused("/drafts", markdown("Other"), title);
    await house.letGo();
    const { media_id } = expectSame(await Promise.all([first, ...late]), 200);
    expect(await house.box(title)).toEqual([media_id ?? ""]);
  });

  turn("six with one key are refused by one call of the platform", async () => {
    const title = newTitle();
    const before = await house.addCalls();
    await house.fault({ ...HELD, errcode: 45003 });
    const first = house.post("/drafts", markdown(title), withKey(title));
    await house.met();
    const late = SIX.map((at) => house.post("/drafts", markdown(title), withKey(title, at)));
    await house.waiting(SIX.length);
    await expectRefused("/drafts", markdown("Other"), title);
    await house.letGo();
    const { error } = expectSame(await Promise.all([first, ...late]), 502);
    expect(error?.errcode).toBe(45003);
    expect(await house.addCalls()).toBe(before + 1);
    // Whoever comes later tries again.
    const again = await house.post("/drafts", markdown(title), withKey(title, 1));
    expect(again.status).toBe(200);
    expect(await house.box(title)).toHaveLength(1);
  });

  turn("six with one key ask one model, also when it writes nothing", async () => {
    const key = newTitle();
    const form = { brief: "b", model: SCRIPTED_MODEL };
    const used = async () => nano((await keyFacts(house.server, house.server.firstKey)).used);
    const before = await used();
    house.modelSays("I would rather not.", ARTICLE);
    const { error } = expectSame(await sixWaitForModel("/drafts", form, key), 502);
    expect(error?.code).toBe("writing_failed");
    expect(house.vendor.calls).toHaveLength(1);
    const [call] = (error?.writing ?? []) as JsonObject[];
    expect(await used()).toBe(before + nano(String(call?.cost)));
    const told = await sixWaitForModel("/drafts", form, key);
    expectSame(told, 200);
    for (const { body } of told) expect(body.cover_idea).toBe(ARTICLE.cover_idea);
    expect(house.vendor.calls).toHaveLength(2);
  });

  turn("six with one key have a text written or shortened once", async () => {
    const asks = [
      ["/drafts:write", { brief: "b", model: SCRIPTED_MODEL }, ARTICLE],
      [
        "/drafts:shorten",
        { text: "A long title", field: "title", limit: 5, model: SCRIPTED_MODEL },
        { title: "Short" },
      ],
    ] as const;
    for (const [path, form, says] of asks) {
      const key = newTitle();
      house.modelSays("I would rather not.", says);
      const six = () => Promise.all(SIX.map((at) => house.post(path, form, withKey(key, at))));
      const failed = await sixWaitForModel(path, form, key);
      expect(expectSame(failed, 502).error?.code).toBe("writing_failed");
      expect(house.vendor.calls).toHaveLength(1);
      const [first, ...others] = [...(await sixWaitForModel(path, form, key)), ...(await six())];
      expect(first).toMatchObject({ status: 200, body: { writing: [{ model: SCRIPTED_MODEL }] } });
      for (const other of others) expect(other).toEqual(first as Report);
      expect(house.vendor.calls).toHaveLength(2);
    }
  });

  turn("six that retry what was refused send it once", async () => {
    const title = newTitle();
    const id = await refusedDraft(title);
    await house.fault(HELD);
    const first = house.post(`/drafts/${id}:retry`, {});
    await house.met();
    const late = SIX.map((at) => house.post(`/drafts/${id}:retry`, {}, { at }));
    await letGoWhenWait(SIX.length);
    const { media_id } = expectSame(await Promise.all([first, ...late]), 200);
    expect(await house.box(title)).toEqual([media_id ?? ""]);
  });

  turn("six that retry what is in doubt look for it once, and share the doubt", async () => {
    const title = newTitle();
    await house.fault({ drop_before_commit: true });
    await house.fault({ route: LIST, http: 500, count: 2 });
    const { body } = await house.post("/drafts", markdown(title));
    expect(body.error?.code).toBe("platform_unknown");
    const id = String(body.error?.draft_id);
    const before = await house.addCalls();
    await house.fault({ route: LIST, ...SLOW });
    await house.fault({ drop_before_commit: true });
    await house.fault({ route: LIST, http: 500, count: 100 });
    const retries = SIX.map(() => house.post(`/drafts/${id}:retry`, {}));
    await house.waiting(SIX.length - 1);
    const all = await Promise.all(retries);
    await house.controlled("DELETE", "faults");
    expect(expectSame(all, 502).error?.code).toBe("platform_unknown");
    expect((await house.addCalls()) - before).toBeLessThanOrEqual(1);
    const found = await Promise.all(SIX.map((at) => house.post(`/drafts/${id}:retry`, {}, { at })));
    expectSame(found, 200);
    expect(await house.box(title)).toHaveLength(1);
  });

  turn("six that want it as a new one add one, and a delete takes out both", async () => {
    const title = newTitle();
    const { body } = await house.post("/drafts", markdown(title));
    const retry = `/drafts/${body.id}:retry`;
    await house.fault(HELD);
    const first = house.post(retry, { as_new: true });
    await house.met();
    const late = SIX.map((at) => house.post(retry, { as_new: true }, { at }));
    await letGoWhenWait(SIX.length);
    expectSame(await Promise.all([first, ...late]), 200);
    expect(await house.box(title)).toHaveLength(2);
    const gone = await Promise.all(
      SIX.map((at) => house.send("DELETE", `/drafts/${body.id}`, undefined, { at })),
    );
    // Whoever comes when it is all over finds no such draft.
    expect(gone.map(({ status }) => status).filter((status) => status !== 404)).toContain(200);
    expect(await house.box(title)).toEqual([]);
  });

  turn("a delete waits for the push, and leaves nothing in the box", async () => {
    const title = newTitle();
    const id = await refusedDraft(title);
    await house.fault(HELD);
    const push = house.post(`/drafts/${id}:retry`, {});
    await house.met();
    const deletes = [
      house.send("DELETE", `/drafts/${id}`, undefined, { at: 1 }),
      house.send("DELETE", `/drafts/${id}`),
    ] as const;
    await letGoWhenWait(deletes.length);
    const [gone, again] = await Promise.all(deletes);
    expect([gone.status, again.status]).toEqual([200, 200]);
    expect([200, 404]).toContain((await push).status);
    expect(await house.box(title)).toEqual([]);
    expect((await house.post(`/drafts/${id}:retry`, {})).status).toBe(404);
  });

  turn("a change is not told what became of the words before it", async () => {
    const title = newTitle();
    const id = await refusedDraft(title);
    await house.fault({ ...HELD, errcode: 45003 });
    const push = house.post(`/drafts/${id}:retry`, {});
    await house.met();
    const change = house.send("PATCH", `/drafts/${id}`, { digest: "new" }, { at: 1 });
    await letGoWhenWait(1);
    const changed = await change;
    expect((await push).status).toBe(502);
    expect([changed.status, changed.body.pushed_version]).toEqual([200, 2]);
    expect(await house.box(title)).toEqual([changed.body.media_id ?? ""]);
  });

  turn("six that publish it publish it once", async () => {
    const title = newTitle();
    const { body } = await house.post("/drafts", markdown(title));
    const publish = `/drafts/${body.id}:publish`;
    const all = await Promise.all(SIX.map((at) => house.post(publish, {}, { at })));
    expect(all.map(({ body: { status } }) => status)).toEqual(SIX.map(() => "published"));
    expect(await house.box(title)).toEqual([]);
  });
});
