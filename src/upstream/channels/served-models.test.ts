import { describe, expect, test } from "bun:test";
import { Catalogue, type Model, shippedCatalogue } from "../../catalogue/models.ts";
import { readConfig } from "../../config/config.ts";
import { upstreamUnavailable } from "../../protocols/faults.ts";
import { Routes } from "../routing.ts";
import { type Channel, configuredChannels, plainChannel } from "./channels.ts";

const { limits } = readConfig({});
const CATALOGUE = shippedCatalogue();
const MODEL = CATALOGUE.find("gpt-5.4") as Model;

function channel(id: string, more: Partial<Channel> = {}): Channel {
  const send = () => Promise.reject(new Error("nothing is sent here"));
  return plainChannel({ id, vendor: "openai", send, ...more });
}

function setUp(only: Channel, catalogue: Catalogue = CATALOGUE) {
  return { routes: new Routes(catalogue, [only], limits, () => 1_000_000) };
}

describe("the models", () => {
  const listed = (env: Record<string, string>) =>
    new Routes(CATALOGUE, configuredChannels(readConfig(env)), limits).models().map(({ id }) => id);

  test("are those with a channel", () => {
    expect(listed({})).toContain("sandbox-1.0");
    expect(listed({})).not.toContain("gpt-5.4");
    expect(listed({ OPENAI_API_KEY: "sk-1" })).toContain("gpt-5.4");
    expect(listed({ OPENAI_API_KEY: "sk-1" })).not.toContain("sandbox-1.0");
    expect(listed({ FAREGATE_SANDBOX: "off" })).toEqual([]);
  });

  test("stay listed while their channel is cooled", () => {
    const { routes } = setUp(channel("a"));
    for (let i = 0; i < limits.channel_attempts_min; i++) {
      routes.plan(MODEL, { wire: "chat" }).next()?.failed(upstreamUnavailable());
    }
    expect(routes.status()[0]?.state).toBe("cooled");
    expect(routes.models()).toContain(MODEL);
    expect(routes.find(MODEL)).toMatchObject({ channel: { id: "a" }, upstreamModel: "gpt-5.4" });
  });

  test("go by the channel's own name, the vendor's, or that of a vendor it copies", () => {
    const upstream = { openai: "theirs", mine: "my-name" };
    const catalogue = new Catalogue([{ ...MODEL, upstream }]);
    const name = (id: string, more: Partial<Channel> = {}) =>
      setUp(channel(id, more), catalogue).routes.find(MODEL)?.upstreamModel;
    expect(name("mine")).toBe("my-name");
    expect(name("other")).toBe("theirs");
    expect(name("copy", { vendor: "azure", owners: ["copy", "azure", "openai"] })).toBe("theirs");
    expect(name("stranger", { vendor: "custom", owners: ["stranger", "custom"] })).toBeUndefined();
  });

  test("that an operator names are served once they have a price", () => {
    const models = [
      { id: MODEL.id, upstreamId: "deployment-7" },
      { id: "gpt-5.2", upstreamId: undefined },
      { id: "unknown-1.0", upstreamId: "x" },
    ];
    const { routes } = setUp(channel("a", { models }));
    expect(routes.find(MODEL)?.upstreamModel).toBe("deployment-7");
    expect(routes.models().map(({ id }) => id)).toEqual([MODEL.id, "gpt-5.2"]);
    expect(routes.unpriced()).toEqual([{ channelId: "a", models: ["unknown-1.0"] }]);
  });
});
