import { describe, expect, test } from "bun:test";
import { shippedCatalogue } from "../catalogue/models.ts";
import { readConfig } from "../config/config.ts";
import { type Channel, ChannelSource, plainChannel } from "./channels/channels.ts";
import { VendorKey } from "./channels/credentials.ts";
import { refusalOfSilence, VendorRefusal } from "./refusal.ts";
import { Routes } from "./routing.ts";

const MODEL = { id: "gpt-5.4" };
const CHAT = { wire: "chat" } as const;

function channel(id: string, more: Partial<Channel> = {}): Channel {
  return plainChannel({
    id,
    vendor: "openai",
    place: "there",
    keys: [new VendorKey("key-one"), new VendorKey("key-two")],
    send: () => Promise.reject(new Error("nobody is called here")),
    ...more,
  });
}

function setUp(...channels: Channel[]) {
  const { limits } = readConfig({ FAREGATE_CHANNEL_ATTEMPTS_MIN: "1" });
  return new Routes(shippedCatalogue(), channels, limits, () => 1_000);
}

/** The vendor does not take the key of the next attempt. */
function refuseNext(routes: Routes): void {
  const attempt = routes.plan(MODEL, CHAT).next();
  const silence = refusalOfSilence("x");
  attempt?.failed(
    new VendorRefusal("401 no", { kind: "credential", fault: silence.fault, status: 401 }),
  );
}

function states(routes: Routes): (string | undefined)[] {
  return routes.status().flatMap((status) => status.credentials.map(({ state }) => state));
}

describe("channels that are replaced", () => {
  test("are the same state while they are the same channel", () => {
    const [a, b] = [channel("a"), channel("b")];
    const routes = setUp(a);
    const [before] = routes.states;
    routes.replace([b, a]);
    expect(routes.states[1]).toBe(before as never);
    routes.replace([b]);
    expect(routes.find(MODEL)?.channel.id).toBe("b");
    routes.replace([]);
    expect(routes.find(MODEL)).toBeUndefined();
    expect(routes.models()).toEqual([]);
  });

  test("keep their health and the state of each key that stays", () => {
    const routes = setUp(channel("a"));
    refuseNext(routes);
    expect(states(routes)).toEqual(["refused", "ok"]);
    const keys = [new VendorKey("key-three"), new VendorKey("key-one")];
    routes.replace([channel("a", { weight: 5, keys })]);
    expect(states(routes)).toEqual(["ok", "refused"]);
    expect(routes.status()[0]?.lastError?.message).toBe("401 no");
    for (const reason of ["gone", "still gone"]) {
      routes.plan(MODEL, CHAT).next()?.failed(refusalOfSilence(reason));
    }
    expect(routes.status()[0]?.state).toBe("cooled");
    routes.replace([channel("a", { weight: 6, keys })]);
    expect(routes.status()[0]?.state).toBe("cooled");
  });

  test("are new where they have moved to another place", () => {
    const routes = setUp(channel("a"));
    refuseNext(routes);
    routes.replace([channel("a", { place: "elsewhere" })]);
    expect(states(routes)).toEqual(["ok", "ok"]);
    expect(routes.status()[0]?.lastError).toBeUndefined();
  });

  const changes: [string, Partial<Channel>][] = [
    [
      "has had its keys replaced",
      { keys: [new VendorKey("key-three"), new VendorKey("key-four")] },
    ],
    ["has moved to another place", { place: "elsewhere", keys: [new VendorKey("key-five")] }],
  ];
  test.each(changes)("no conversation brings a former key to one that %s", (_what, changed) => {
    const first = { priority: 1 };
    const routes = setUp(channel("a", first), channel("b"));
    const plan = () => routes.plan(MODEL, { ...CHAT, sticky: "account conversation" });
    plan().next()?.succeeded();
    // Answered with a former key while the channel was changed.
    const running = plan().next();
    const replaced = channel("a", { ...first, ...changed });
    routes.replace([replaced, channel("b")]);
    const keyOfNext = () => {
      const next = plan().next();
      expect(next?.channel).toBe(replaced);
      return next?.credential.key as VendorKey;
    };
    expect(replaced.keys).toContain(keyOfNext());
    running?.succeeded();
    expect(replaced.keys).toContain(keyOfNext());
  });

  test("are as good as new once they are revived", () => {
    const routes = setUp(channel("a"));
    refuseNext(routes);
    refuseNext(routes);
    expect(routes.status()[0]?.state).toBe("refused");
    expect(routes.revive("a")).toBe(true);
    expect(states(routes)).toEqual(["ok", "ok"]);
    expect(routes.plan(MODEL, CHAT).next()).toBeDefined();
    expect(routes.revive("none")).toBe(false);
  });

  test("keep what their vendor listed, unless they have moved or list no more", () => {
    const fetching = (more: Partial<Channel> = {}) => channel("a", { models: "fetch", ...more });
    const first = fetching();
    const routes = setUp(first);
    routes.learn(first, ["gpt-5.4"]);
    const served = () => routes.modelsOf("a").map(({ id }) => id);
    expect(served()).toEqual(["gpt-5.4"]);
    routes.replace([fetching({ weight: 2 })]);
    expect(served()).toEqual(["gpt-5.4"]);
    expect(routes.hasLearnt("a")).toBe(true);
    routes.replace([fetching({ place: "elsewhere" })]);
    expect(routes.hasLearnt("a")).toBe(false);
    // An answer that was asked for at the former place.
    routes.learn(first, ["gpt-5.4"]);
    expect(routes.hasLearnt("a")).toBe(false);
  });
});

describe("the source of channels", () => {
  const described = {
    id: "openai",
    vendor: "openai",
    name: "Mine",
    baseUrl: undefined,
    keys: ["k"],
    protocols: [],
    weight: 1,
    priority: 0,
    models: "vendor" as const,
    enabled: true,
    onDisconnect: undefined,
    headers: {},
  };

  test("gives the same object for the same settings, and another for others", () => {
    const source = new ChannelSource(readConfig({}));
    const [first] = source.channels([described]);
    expect(source.channels([{ ...described }])[0]).toBe(first as Channel);
    expect(source.channels([{ ...described, weight: 2 }])[0]).not.toBe(first as Channel);
  });

  test("lets the last of one id win, and switches off what is to be off", () => {
    const source = new ChannelSource(readConfig({ OPENAI_API_KEY: "sk-env" }));
    const names = (off: string[] = []) =>
      source.channels([described], new Set(off)).map(({ name, enabled }) => [name, enabled]);
    expect(names()).toEqual([["Mine", true]]);
    expect(names(["openai"])).toEqual([
      ["Mine", false],
      ["Sandbox", true],
    ]);
  });
});
