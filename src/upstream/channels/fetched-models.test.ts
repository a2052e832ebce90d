import { afterEach, describe, expect, test } from "bun:test";
import { endlessBody } from "../../../test/support/vendors/endless-body.ts";
import { ticksDuring } from "../../../test/support/waiting.ts";
import { type Catalogue, shippedCatalogue } from "../../catalogue/models.ts";
import { readConfig } from "../../config/config.ts";
import { TaskGroup } from "../../lib/threads/task-group.ts";
import { Routes } from "../routing.ts";
import { waysOf } from "../transport/ways.ts";
import type { ChannelState } from "./channel-state.ts";
import { openChannel } from "./channels.ts";
import { type Credential, VendorKey } from "./credentials.ts";
import { FetchedModels, listOf } from "./fetched-models.ts";

const { limits } = readConfig({});
const CATALOGUE: Catalogue = shippedCatalogue();

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

/** A vendor whose list of models the test writes, as one channel that is fetched. */
function setUp(vendor = "custom") {
  const state = { answer: () => Response.json({ data: [] }), asked: 0 };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      state.asked += 1;
      return state.answer();
    },
  });
  servers.push(server);
  const channel = openChannel(
    {
      id: "mine",
      vendor,
      name: "Mine",
      baseUrl: `http://127.0.0.1:${server.port}/v1`,
      keys: ["secret-key-0001"],
      protocols: [],
      weight: 1,
      priority: 0,
      models: "fetch",
      enabled: true,
      onDisconnect: undefined,
      headers: {},
    },
    waysOf(readConfig({})),
  );
  const routes = new Routes(CATALOGUE, [channel], limits);
  const problems: string[] = [];
  const fetched = new FetchedModels(routes, limits, (_id, thrown) => problems.push(String(thrown)));
  const served = () =>
    routes.models().map((model) => `${model.id}=${routes.find(model)?.upstreamModel}`);
  return { state, routes, fetched, served, problems };
}

function data(...ids: string[]) {
  return () => Response.json({ data: ids.map((id) => ({ id, object: "model" })) });
}

describe("a list of models that is fetched", () => {
  test("serves what has a price, by any name that the catalogue has for it", async () => {
    const { state, fetched, served, routes } = setUp();
    expect(served()).toEqual([]);
    state.answer = data("gpt-5.4", "claude-opus-4-8", "my-finetune", "claude-opus-4-8");
    await fetched.refresh();
    expect(served()).toEqual(["gpt-5.4=gpt-5.4", "claude-opus-4.8=claude-opus-4-8"]);
    expect(routes.unpriced()).toEqual([{ channelId: "mine", models: ["my-finetune"] }]);
  });

  test("leaves others their turns where it is long", async () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `a-model-of-our-own-${i}`);
    const text = JSON.stringify({ data: names });
    const key = new VendorKey("secret-key-0001");
    let listed: readonly string[] = [];
    const turns = await ticksDuring(async () => {
      listed = await listOf({ list: async () => new Response(text) }, key, 60_000);
    });
    expect(listed[7]).toBe("a-model-of-our-own-7");
    // It is parsed in steps of a quarter of a megabyte.
    expect(turns).toBeGreaterThan(text.length / (256 * 1024));
  });

  test("is followed when it changes", async () => {
    const { state, fetched, served } = setUp();
    state.answer = data("gpt-5.4");
    await fetched.refresh();
    state.answer = data("gpt-5.2");
    await fetched.refresh();
    expect(served()).toEqual(["gpt-5.2=gpt-5.2"]);
  });

  const failures: [string, () => Response][] = [
    ["a refusal", () => new Response("no", { status: 401 })],
    ["a failure", () => Response.json({ data: [{ id: "gpt-5.2" }] }, { status: 500 })],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 302)],
    ["a page", () => new Response("<html>")],
    ["another shape", () => Response.json({ models: "gpt-5.2" })],
    ["more and more", () => new Response(endlessBody(1024 * 1024))],
  ];

  test.each(failures)("is kept when the vendor answers with %s", async (_name, answer) => {
    const { state, fetched, served, problems } = setUp();
    state.answer = data("gpt-5.4");
    await fetched.refresh();
    state.answer = answer;
    await fetched.refresh();
    expect(served()).toEqual(["gpt-5.4=gpt-5.4"]);
    expect(problems).toHaveLength(1);
    expect(problems.join()).not.toContain("secret");
  });

  test.each([
    ["Google's", { models: [{ name: "models/gemini-2.5-pro" }, { name: "models/x" }] }],
    ["a bare", [{ id: "gemini-2.5-pro" }, { id: "x" }, { id: 7 }, null, { id: "" }]],
    ["a list of names", { data: ["gemini-2.5-pro", "x"] }],
  ])("is understood in the shape of %s", async (_name, body) => {
    const { state, fetched, served, routes } = setUp();
    state.answer = () => Response.json(body);
    await fetched.refresh();
    expect(served()).toEqual(["gemini-2.5-pro=gemini-2.5-pro"]);
    expect(routes.unpriced()).toEqual([{ channelId: "mine", models: ["x"] }]);
  });

  test("begins with what the catalogue knows of a vendor that has a row", async () => {
    const { served, state, fetched } = setUp("openai");
    expect(served()).toContain("gpt-5.4=gpt-5.4");
    state.answer = data("gpt-5.4");
    await fetched.refresh();
    expect(served()).toEqual(["gpt-5.4=gpt-5.4"]);
  });

  test("is asked for at the start, and not with a key that is refused", async () => {
    const { state, fetched, routes } = setUp();
    const problems: unknown[] = [];
    const tasks = new TaskGroup((thrown) => problems.push(thrown));
    const stop = fetched.start(tasks);
    await tasks.settled();
    stop();
    expect(state.asked).toBe(1);
    const { credentials } = routes.states[0] as ChannelState;
    credentials.refuse(credentials.all[0] as Credential, "no", 0);
    await fetched.refresh();
    expect([state.asked, problems]).toEqual([1, []]);
  });
});
