import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type ChannelConfig, parseConfigFile } from "./file.ts";
import { ConfigError } from "./members.ts";

const ENV = { KEY_A: "sk-a", KEYS: " sk-b, sk-c ", EMPTY: "", HOST: "llm.example.edu" };

/** How a file names a variable. */
const variable = (name: string) => `\${${name}}`;

function read(text: string) {
  return parseConfigFile(text, "faregate.yaml", ENV);
}

function complaint(text: string): string {
  try {
    read(text);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
    throw thrown;
  }
  return "";
}

/** The only channel of a file, written as the lines of its mapping. */
function channel(...lines: string[]): ChannelConfig {
  const [found] = read(`channels:\n  - ${lines.join("\n    ")}\n`).channels;
  if (!found) throw new Error("no channel");
  return found;
}

function channelComplaint(...lines: string[]): string {
  return complaint(`channels:\n  - ${lines.join("\n    ")}\n`);
}

function modelComplaint(...lines: string[]): string {
  return complaint(`models:\n  - ${lines.join("\n    ")}\n`);
}

/** Rows of a table, to be called by what is said of them. */
function byWords<T>(rows: readonly (readonly [T, string])[]): [string, T][] {
  return rows.map(([input, words]) => [words, input]);
}

describe("a channel", () => {
  test("needs a name, a vendor and a key, and has sensible defaults", () => {
    expect(channel("id: main", "vendor: openai", `keys: ["${variable("KEY_A")}"]`)).toEqual({
      where: "faregate.yaml: channels[0]",
      id: "main",
      vendor: "openai",
      name: "main",
      baseUrl: undefined,
      keys: ["sk-a"],
      protocols: [],
      weight: 1,
      priority: 0,
      models: "vendor",
      enabled: true,
      onDisconnect: undefined,
      headers: {},
      free: false,
      allow: {},
    });
  });

  test("takes keys from variables, several from one, and as they are", () => {
    const { keys } = channel(
      "id: main",
      "vendor: openai",
      `keys: ["${variable("KEYS")}", literal, "${variable("KEY_A")}"]`,
    );
    expect(keys).toEqual(["sk-b", "sk-c", "literal", "sk-a"]);
  });

  test("of a custom vendor is all data", () => {
    const custom = channel(
      "id: campus",
      "vendor: custom",
      `base_url: https://${variable("HOST")}/v1/`,
      "protocols: [responses, chat]",
      "weight: 5",
      "priority: -2",
      "on_disconnect: drain",
      "models: { our-1.0: theirs, other-2.0: other }",
      `headers: { X-Team: "physics ${variable("KEY_A")}" }`,
    );
    expect(custom).toMatchObject({
      baseUrl: "https://llm.example.edu/v1",
      protocols: ["responses", "chat"],
      weight: 5,
      priority: -2,
      onDisconnect: "drain",
      models: [
        { id: "our-1.0", upstreamId: "theirs" },
        { id: "other-2.0", upstreamId: "other" },
      ],
      headers: { "x-team": "physics sk-a" },
      keys: [],
    });
  });

  test("speaks chat where a custom vendor says nothing else", () => {
    expect(channel("id: a", "vendor: custom", "base_url: http://127.0.0.1:9").protocols).toEqual([
      "chat",
    ]);
  });

  test.each([
    ["models: fetch", "fetch"],
    ["models: [a-1.0]", [{ id: "a-1.0", upstreamId: undefined }]],
    ["models: []", []],
    ["models:", "vendor"],
  ])("with %p", (line, models) => {
    expect(channel("id: a", "vendor: ollama", line).models).toEqual(models as never);
  });

  test("that is switched off may name variables that are gone", () => {
    const off = channel(
      "id: a",
      "vendor: openai",
      `keys: ["${variable("GONE")}"]`,
      "enabled: false",
    );
    expect(off.enabled).toBe(false);
  });
});

describe("a mistake in a channel is named with its place and the fix", () => {
  const base = ["id: a", "vendor: openai", "keys: [x]"];

  test.each(
    byWords([
      [[...base, "wieght: 2"], 'channels[0].wieght is not a setting; did you mean "weight"?'],
      [
        [...base, "colour: red"],
        "channels[0].colour is not a setting; it can be one of id, vendor",
      ],
      [["vendor: openai", "keys: [x]"], "channels[0].id is missing"],
      [["id: a", "keys: [x]"], "channels[0].vendor is missing"],
      [
        ["id: a", "vendor: opena1", "keys: [x]"],
        'channels[0].vendor is "opena1"; it must be one of',
      ],
      [["id: a", "vendor: opena1", "keys: [x]"], 'did you mean "openai"?'],
      [["id: a b", "vendor: openai", "keys: [x]"], "channels[0].id must be letters"],
      [
        ["id: sandbox", "vendor: openai", "keys: [x]"],
        "channels[0].id is the name of another vendor",
      ],
      [["id: groq", "vendor: openai", "keys: [x]"], "channels[0].id is the name of another vendor"],
      [["id: a", "vendor: openai"], "channels[0].keys is missing"],
      [["id: a", "vendor: openai", "keys: sk-1"], "channels[0].keys must be a list"],
      [["id: a", "vendor: openai", "keys: [x, 5]"], "channels[0].keys[1] must be a text"],
      [["id: a", "vendor: azure", "keys: [x]"], "channels[0].base_url is missing"],
      [["id: a", "vendor: custom", "base_url: ftp://x"], "channels[0].base_url must be http"],
      [[...base, "weight: 0"], "channels[0].weight must be a whole number from 1"],
      [[...base, "weight: 1.5"], "channels[0].weight must be a whole number"],
      [[...base, "priority: high"], "channels[0].priority must be a whole number"],
      [[...base, "enabled: yes"], "channels[0].enabled must be true or false"],
      [[...base, "protocols: [chat]"], "channels[0].protocols is known for openai"],
      [
        [...base, "models: all"],
        'channels[0].models must be a list, a mapping, or the word "fetch"',
      ],
      [[...base, "on_disconnect: stop"], "channels[0].on_disconnect is"],
      [[...base, "headers: { 'a b': c }"], "channels[0].headers.a b is not a header"],
      [[...base, 'headers: { a: "b\\nc: d" }'], "channels[0].headers.a is not a header"],
      [
        [...base, "headers: { X-A: b, x-a: c }"],
        "channels[0].headers.x-a is there in other capitals",
      ],
      [[...base, "keys: [y]"], "channels[0].keys is given twice, in lines 4 and 5; leave one out."],
      [[...base, "allow: { a: 1001 }"], "channels[0].allow.a must be dollars"],
      // Finer than money is: it would be nothing.
      [[...base, "allow: { b: 0.0333333333 }"], "channels[0].allow.b must be dollars"],
      [[...base, 'allow: { c: "00000000.5" }'], "channels[0].allow.c must be dollars"],
    ]),
  )("%s", (words, lines) => {
    expect(channelComplaint(...lines)).toContain(words);
  });

  test.each(["GONE", "EMPTY"])("the variable %s, which is not set, is named", (name) => {
    const words = channelComplaint("id: a", "vendor: openai", `keys: [x, "${variable(name)}"]`);
    expect(words).toContain(`channels[0].keys[1] names the variable ${name}, which is not set`);
  });

  test("a secret is never repeated", () => {
    const all = [
      channelComplaint("id: a", "vendor: openai", "keys: [sk-secret, 5]"),
      channelComplaint("id: a", "vendor: openai", "keys: sk-secret"),
      channelComplaint("id: a", "vendor: custom", 'base_url: "user:sk-secret@host"'),
      channelComplaint("id: a", "vendor: ollama", 'headers: { b: "sk-secret\\n" , c d: x }'),
    ];
    for (const words of all) {
      expect(words).toContain("channels[0]");
      expect(words).not.toContain("sk-secret");
    }
  });
});

describe("a model", () => {
  test("is read with its prices as they were written", () => {
    const { models } = read(
      [
        "models:",
        "  - id: a-1.0",
        "    owned_by: me",
        "    context: 1000",
        "    max_output: 100",
        "    upstream: { openai: a }",
        "    price: { input: 0.1, output: 3, cache_read: '0.010', effective_from: 2027-01-01 }",
        "    fallbacks: [b-1.0]",
      ].join("\n"),
    );
    expect(models[0]).toMatchObject({
      id: "a-1.0",
      ownedBy: "me",
      context: 1000,
      maxOutput: 100,
      upstream: { openai: "a" },
      price: {
        rates: { input: "0.1", output: "3", cache_read: "0.010" },
        above: [],
        effectiveFromMs: Date.parse("2027-01-01"),
      },
      free: false,
      fallbacks: ["b-1.0"],
    });
  });

  test.each(
    byWords([
      [["id: a", "price: { input: 0.0000001 }"], "models[0].price.input must be a plain decimal"],
      [["id: a", "price: { input: 1234567.8901234 }"], "models[0].price.input has more digits"],
      [["id: a", "price: { input: -1 }"], "models[0].price.input must be a plain decimal"],
      [["id: a", "price: { input: '1,5' }"], "models[0].price.input must be a plain decimal"],
      [["id: a", "price: { input: true }"], "models[0].price.input must be a plain decimal"],
      [["id: a", "price: 5"], "models[0].price must be a mapping"],
      [
        ["id: a", "price: { input: '1', output: '2', input: '3' }"],
        "models[0].price.input is given twice, in line 3",
      ],
      [
        ["id: a", "price: { ouput: 5 }"],
        'models[0].price.ouput is not a setting; did you mean "output"',
      ],
      [
        ["id: a", "price: { effective_from: soon }"],
        "models[0].price.effective_from must be a date",
      ],
      [["id: a", "price: { effective_from: 2027-02-31x }"], "price.effective_from must be a date"],
      // A calendar that has no such day would have it begin in March.
      [["id: a", "price: { effective_from: 2027-02-29 }"], "effective_from must be a date such as"],
      [
        ["id: a", "price: { above: [{ input: 1 }] }"],
        "models[0].price.above[0].prompt_tokens is missing",
      ],
      [
        ["id: a", "free: true", "price: { input: 1 }"],
        "models[0].free is true, and there is a price",
      ],
      [["id: a", "context: 0"], "models[0].context must be a whole number"],
      [
        ["id: a", "upstream: { opena1: x }"],
        "models[0].upstream.opena1 is not a vendor or a channel",
      ],
      [["id: a", "upstream: { openai: 5 }"], "models[0].upstream.openai must be a text"],
      [["context: 5"], "models[0].id is missing"],
    ]),
  )("%s", (words, lines) => {
    expect(modelComplaint(...lines)).toContain(words);
  });

  test("may be named by a channel of the file", () => {
    const text = (owner: string) =>
      `channels: [{ id: home, vendor: ollama }]\nmodels: [{ id: a, upstream: { ${owner}: x } }]`;
    expect(complaint(text("home"))).toBe("");
    expect(complaint(text("hone"))).toContain('did you mean "home"?');
  });
});

describe("the file", () => {
  test.each(["", "# nothing\n", "channels:\nmodels:\n"])("%p says nothing", (text) => {
    expect(read(text)).toEqual({ channels: [], models: [], markupPercent: undefined });
  });

  test.each(
    byWords([
      ["channels: [", "faregate.yaml is not YAML"],
      ["- 1", "faregate.yaml: must be a mapping"],
      ["models:\nchannels: []\nmodels: []", "models is given twice, in lines 1 and 3"],
      ["chanels: []", 'faregate.yaml: chanels is not a setting; did you mean "channels"?'],
      ["channels: {}", "faregate.yaml: channels must be a list"],
      ["channels: [5]", "faregate.yaml: channels[0] must be a mapping"],
      ["markup_percent: -5", "faregate.yaml: markup_percent must be a plain decimal"],
      [
        "models: [{ id: m, price: { input: 99999999999999999999, output: 1 } }]",
        "faregate.yaml: models[0].price.input has more digits than a number keeps",
      ],
      [
        'models: [{ id: m, price: { input: "1", output: "99999999999999999999" } }]',
        "faregate.yaml: models[0].price.output must be at most 100000",
      ],
      ["markup_percent: 10001", "faregate.yaml: markup_percent must be at most 10000"],
      [
        "models: [{ id: a }, { id: b }, { id: a }]",
        'models[2].id is "a", as faregate.yaml: models[0].id is',
      ],
      [
        "channels: [{ id: a, vendor: ollama }, { id: a, vendor: vllm }]",
        'faregate.yaml: channels[1].id is "a"',
      ],
    ]),
  )("%s", (words, text) => {
    expect(complaint(text)).toContain(words);
  });

  test("the example of the documents is one", async () => {
    const page = await Bun.file(
      join(import.meta.dir, "..", "..", "docs", "faregate-yaml.md"),
    ).text();
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    const names = [...example.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [name, "sk-1"]);
    const file = parseConfigFile(example, "faregate.yaml", Object.fromEntries(names));
    expect(file.channels.map(({ id }) => id)).toContain("campus");
    expect(file.models.length).toBeGreaterThan(2);
    expect(file.markupPercent).toBe("12.5");
  });
});
