// Style as a test. Each rule runs over the project and, beside that, over a small example that breaks
// it, so that a rule which has stopped seeing anything fails.
import { describe, expect, test } from "bun:test";
import { missingBuilds, newerEngines, readLock, withoutHash } from "../../dev/lock-file.ts";
import proseRatchet from "../prose-ratchet.json";
import { bannedCalls, emptyNames } from "../tidy/banned.ts";
import { machineTraces, titleProblems } from "../tidy/documents.ts";
import { gateProblems } from "../tidy/gate.ts";
import { referencesOf } from "../tidy/imports.ts";
import { functionLengths, lengthProblems } from "../tidy/lengths.ts";
import { orderProblems } from "../tidy/order.ts";
import { privateNames, privateWords } from "../tidy/private-words.ts";
import { proseFaults, proseProblems } from "../tidy/prose.ts";
import { circles, deadExports, deadFiles } from "../tidy/reach.ts";
import { roomsOf, tableProblems } from "../tidy/rooms.ts";
import { readProject, type Source, toSource } from "../tidy/source.ts";
import { takenFromServer, waitedReads } from "../tidy/web.ts";
import ratchet from "../tidy-ratchet.json";

const files = readProject();
const sources = files
  .filter(({ path }) => /^(?:src|test|bench|web|dev)\/.*\.tsx?$/.test(path))
  .map(({ path, text }) => toSource(path, text));

function example(texts: Record<string, string>): Source[] {
  return Object.entries(texts).map(([path, text]) => toSource(path, text));
}

/** A function of so many lines, braces included. */
function longFunction(name: string, lines: number): string {
  return `export function ${name}(): void {\n${"  work();\n".repeat(lines - 2)}}\n`;
}

describe("the project", () => {
  test("imports only downward", () => {
    expect(orderProblems(sources)).toEqual([]);
  });

  test("has nothing of the office in what relays", () => {
    expect(gateProblems(sources)).toEqual([]);
  });

  test("has no circle of files", () => {
    expect(circles(sources)).toEqual([]);
  });

  test("has the rooms and floors of the table in ARCHITECTURE.md", () => {
    const { text = "" } = files.find(({ path }) => path === "ARCHITECTURE.md") ?? {};
    expect(tableProblems(text, roomsOf(sources))).toEqual([]);
  });

  test("gives pages nothing of the server but the types of its contracts", () => {
    expect(takenFromServer(sources)).toEqual([]);
  });

  test("lets no page wait for what is read again", () => {
    expect(waitedReads(sources)).toEqual([]);
  });

  test("has no file that the program does not reach", () => {
    expect(deadFiles(sources)).toEqual([]);
  });

  test("has no export that nobody names", () => {
    expect(deadExports(sources)).toEqual([]);
  });

  test("keeps files and functions short", () => {
    expect(lengthProblems(sources, ratchet)).toEqual([]);
  });

  test("makes no banned call", () => {
    expect(bannedCalls(sources)).toEqual([]);
  });

  test("names files by their subject", () => {
    expect(emptyNames(files)).toEqual([]);
  });

  test("gives every document one title", () => {
    expect(titleProblems(files)).toEqual([]);
  });

  test("is written in plain English", () => {
    expect(proseProblems(proseFaults(files, sources), proseRatchet)).toEqual([]);
  });

  test("has no private word of docs/style.md in the name of a file or type", () => {
    const { text = "" } = files.find(({ path }) => path === "docs/style.md") ?? {};
    expect(privateNames(privateWords(text), files, sources)).toEqual([]);
  });

  test("holds nothing of the machine it was written on", () => {
    expect(machineTraces(files)).toEqual([]);
  });

  test("has a lock file that npm reads without a warning; npm run lock sees to it", async () => {
    expect(newerEngines(await readLock())).toEqual([]);
  });

  test("has the builds of its packages for every machine in the lock", async () => {
    expect(missingBuilds(await readLock())).toEqual([]);
  });

  test("has a hash of every package in the lock; npm run lock adds them", async () => {
    expect(withoutHash(await readLock())).toEqual([]);
    const packages = {
      "": { version: "1.0.0" },
      "node_modules/a": { version: "1.0.0" },
      "node_modules/a/node_modules/@b/c": { version: "2.0.0" },
      "node_modules/d": { version: "1.0.0", integrity: "sha512-x" },
      "node_modules/e": { link: true },
      "node_modules/d/node_modules/f": { version: "1.0.0", inBundle: true },
    };
    expect(withoutHash({ packages })).toEqual(["a@1.0.0", "@b/c@2.0.0"]);
  });
});

describe("reading a source", () => {
  test("blanks comments, strings, templates and regular expressions, and keeps every offset", () => {
    const text = [
      'const a = "x // {"; // note {',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the example is a template itself.
      "const b = `t ${f({ k: `in ${1} }` })} {`;",
      "const c = /[/{]\\/{/.test(a) ? 4 / 2 / 1 : '\\'{'; /* { */",
    ].join("\n");
    const { code, uncommented } = toSource("src/lib/a.ts", text);
    expect(code).toHaveLength(text.length);
    expect(code).toBe(
      [
        'const a = "      ";          ',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the example is a template itself.
        "const b = `  ${f({ k: `   ${1}  ` })}  `;",
        "const c = /       /.test(a) ? 4 / 2 / 1 : '   ';        ",
      ].join("\n"),
    );
    expect(uncommented).toContain('"x // {"');
    expect(uncommented).not.toContain("note");
  });

  test("finds every way to name a file", () => {
    const text = `
      import { a } from "./a.ts";
      import type {
        B,
      } from "../lib/b.ts";
      import "./c.ts";
      export { d } from "./d.ts";
      export * from "./e.ts";
      const f = await import("./f.ts");
      const worker = new Worker(new URL("./g.ts", import.meta.url));
      // import { no } from "./comment.ts";
      const text = 'import { no } from "./string.ts"';
      import { z } from "zod";
    `;
    const found = referencesOf(toSource("src/http/x.ts", text)).map((r) => `${r.kind} ${r.path}`);
    expect(found.sort()).toEqual([
      "import src/http/a.ts",
      "import src/http/c.ts",
      "import src/http/d.ts",
      "import src/http/e.ts",
      "import src/http/f.ts",
      "type src/lib/b.ts",
      "url src/http/g.ts",
    ]);
  });
});

describe("the rule of the gate", () => {
  test("sees what is loaded at once, later and in a thread, and not what is only a type", () => {
    const house = example({
      "src/cli/serve.ts": 'import { a } from "../http/a.ts"; a();',
      "src/http/a.ts": [
        'import type { T } from "../payments/t.ts";',
        'export const a = async () => (await import("../console/b.ts")).b;',
        'new Worker(new URL("../drafts/w.ts", import.meta.url));',
        'import { z } from "zod"; import { k } from "kysely"; z(k);',
      ].join("\n"),
    });
    expect(gateProblems(house).sort()).toEqual([
      "src/http/a.ts → kysely",
      "src/http/a.ts → src/console/b.ts",
      "src/http/a.ts → src/drafts/w.ts",
    ]);
  });
});

describe("the rule of rooms", () => {
  const house = example({
    "src/http/a.ts": 'import { b } from "../ledger/b.ts";',
    "src/ledger/b.ts": 'import type { c } from "../lib/c.ts";',
    "src/ledger/b.test.ts": 'import { a } from "../http/a.ts";',
    "src/lib/c.ts": "",
  });
  const row = (name: string, floor: number) => `| \`${name}\` | ${floor} | what it holds |`;
  const table = [row("http", 2), row("ledger", 1), row("lib", 0)];

  test("computes the floors from the imports", () => {
    expect(tableProblems(table.join("\n"), roomsOf(house))).toEqual([]);
  });

  test.each([
    ["another floor", row("http", 3)],
    ["a room that does not exist", row("attic", 2)],
  ])("finds %s", (_, told) => {
    const changed = [told, ...table.slice(1)].join("\n");
    expect(tableProblems(changed, roomsOf(house))).toHaveLength(2);
  });
});

test.each([
  ['import { KEY } from "../src/console/contract/keys.ts";', 1],
  ['import type { Key } from "../src/console/contract/keys.ts";', 0],
  ['import type { Page } from "../src/lib/contract.ts";', 0],
  ['import type { Store } from "../src/console/store.ts";', 1],
])("the rule of pages judges %s", (text, problems) => {
  expect(takenFromServer(example({ "web/a.ts": text }))).toHaveLength(problems);
});

test.each([
  ["await client.invalidateQueries({ queryKey });", 1],
  ["const refresh = () => client.refetchQueries({ queryKey });", 1],
  ["void client.invalidateQueries({ queryKey });", 0],
])("the rule of what is read again judges %s", (text, problems) => {
  expect(waitedReads(example({ "web/a.ts": text }))).toHaveLength(problems);
});

describe("the rule of floors", () => {
  const judge = (path: string, to: string, words = "import { a }") =>
    orderProblems(example({ [path]: `${words} from "${to}";` }));

  test("lets imports go down and stay in the room", () => {
    expect(judge("src/gateway/a.ts", "../lib/clock.ts")).toEqual([]);
    expect(judge("src/gateway/a.ts", "./deep/b.ts")).toEqual([]);
    expect(judge("src/cli/main.ts", "../compose/app.ts")).toEqual([]);
    expect(judge("src/store/sqlite/a.ts", "../../ledger/store.ts")).toEqual([]);
    expect(judge("src/ledger/a.ts", "./store.ts")).toEqual([]);
    expect(judge("src/compose/app.ts", "../store/sqlite/open.ts")).toEqual([]);
  });

  test("refuses imports that go up, of types too", () => {
    expect(judge("src/lib/a.ts", "../gateway/b.ts")).toHaveLength(1);
    expect(judge("src/lib/a.ts", "../gateway/b.ts", "import type { A }")).toHaveLength(1);
    expect(judge("src/config/config.ts", "../compose/app.ts")).toHaveLength(1);
    expect(judge("src/ledger/a.test.ts", "../store/sqlite/open.ts")).toHaveLength(1);
    expect(judge("src/lib/a.ts", "../../test/postgres.ts")).toHaveLength(1);
  });

  test("refuses what is downward and closed", () => {
    expect(judge("src/drafts/a.ts", "../platform/b.ts")).toHaveLength(1);
    expect(judge("src/http/a.ts", "../store/sqlite/b.ts")).toHaveLength(1);
    expect(judge("src/console/a.ts", "../upstream/credentials.ts")).toHaveLength(1);
    expect(judge("src/gateway/a.ts", "../ledger/store.ts", "import type { A }")).toHaveLength(1);
    expect(judge("src/compose/app.ts", "../ledger/store.ts", "import type { A }")).toHaveLength(1);
  });

  test("refuses a room that is not in the list", () => {
    expect(orderProblems(example({ "src/attic/a.ts": "" }))).toHaveLength(1);
  });
});

describe("the rule of reach", () => {
  test("tells a circle, and lets types go round", () => {
    const round = example({
      "src/lib/a.ts": 'import { b } from "./b.ts";',
      "src/lib/b.ts": 'import { c } from "./c.ts";',
      "src/lib/c.ts": 'import { a } from "./a.ts";',
    });
    expect(circles(round)).toEqual(["src/lib/a.ts → src/lib/b.ts → src/lib/c.ts → src/lib/a.ts"]);
    const types = example({
      "src/lib/a.ts": 'import { b } from "./b.ts";',
      "src/lib/b.ts": 'import type { A } from "./a.ts";',
    });
    expect(circles(types)).toEqual([]);
  });

  test("tells a file that only its test loads, and knows workers", () => {
    const house = example({
      "src/cli/main.ts": 'import { a } from "../lib/a.ts";',
      "src/lib/a.ts": 'new Worker(new URL("./worker.ts", import.meta.url));',
      "src/lib/worker.ts": 'import { b } from "./b.ts";',
      "src/lib/b.ts": "",
      "src/lib/dead.ts": "",
      "src/lib/dead.test.ts": 'import { dead } from "./dead.ts";',
    });
    expect(deadFiles(house)).toEqual(["src/lib/dead.ts"]);
  });

  test("tells an export that only a comment or its own file mentions", () => {
    const house = example({
      "src/lib/a.ts": "export const used = 1;\nexport async function unused() {}\nunused();",
      "src/lib/b.ts": "const x = 1; type Y = 1;\nexport { used as x, type Y };",
      "test/a.test.ts": "used; // unused\nY;",
    });
    expect(deadExports(house)).toEqual(["src/lib/a.ts:2 unused", "src/lib/b.ts:2 x"]);
  });
});

describe("the rule of length", () => {
  test("measures functions, methods and arrows with any return type", () => {
    const text = [
      "function plain(a: number) {",
      "}",
      "class A<T> {",
      "  async method(): Promise<Map<string, { a: 1 }>> {",
      "    if (x) {",
      "    }",
      "  }",
      "}",
      "const arrow = async (a: { b: 1 }): Promise<{ c: 1 } | (() => void)> => {",
      "  for (const y of z) {",
      "  }",
      "};",
      "list.map((x): number => x + 1);",
      "const choice = ok ? (a) : { b: 1 };",
      "const none = (a: string): string => a;",
      "list.forEach(() => {",
      "});",
    ].join("\n");
    const found = functionLengths(toSource("src/lib/a.ts", text));
    expect(found.map(({ name, line, lines }) => [name, line, lines])).toEqual([
      ["plain", 1, 2],
      ["method", 4, 4],
      ["arrow", 9, 4],
      ["anonymous", 16, 2],
    ]);
  });

  test("refuses a file or a function over its limit", () => {
    const line = "work();\n";
    expect(lengthProblems(example({ "src/lib/a.ts": line.repeat(400) }), {})).toEqual([]);
    expect(lengthProblems(example({ "src/lib/a.ts": line.repeat(401) }), {})).toHaveLength(1);
    expect(lengthProblems(example({ "src/lib/a.test.ts": line.repeat(800) }), {})).toEqual([]);
    expect(lengthProblems(example({ "src/lib/a.test.ts": line.repeat(801) }), {})).toHaveLength(1);
    expect(lengthProblems(example({ "src/lib/a.ts": longFunction("f", 70) }), {})).toEqual([]);
    expect(lengthProblems(example({ "src/lib/a.ts": longFunction("f", 71) }), {})).toHaveLength(1);
  });

  test("lets an exception neither grow nor stay above what it has become", () => {
    const house = example({ "src/lib/a.ts": longFunction("f", 80) });
    expect(lengthProblems(house, { "src/lib/a.ts#f": 80 })).toEqual([]);
    expect(lengthProblems(house, { "src/lib/a.ts#f": 79 })).toHaveLength(1);
    expect(lengthProblems(house, { "src/lib/a.ts#f": 81 })).toHaveLength(1);
    expect(lengthProblems(house, { "src/lib/a.ts#f": 80, "src/lib/gone.ts": 500 })).toHaveLength(1);
  });
});

describe("the rule of words", () => {
  test.each([
    ["src/ledger/a.ts", 'console.log("x");'],
    ["src/ledger/a.ts", "Math.random();"],
    ["src/ledger/a.ts", "Date.now();"],
    ["src/ledger/a.ts", "new Date();"],
    ["src/http/a.ts", 'new ReadableStream({ type: "direct" });'],
    ["src/catalogue/a.ts", "Number.parseFloat(x);"],
    ["src/http/a.ts", "export default 1;"],
    ["src/http/a.ts", "let x: any;"],
    ["src/http/a.ts", "x as any;"],
    ["src/http/a.ts", 'import { z } from "zod";'],
    ["src/payments/a.ts", "const text = `select o.* from orders o`;"],
    ["src/payments/a.ts", "tables.selectFrom(orders).selectAll();"],
  ])("refuses in %s: %s", (path, text) => {
    expect(bannedCalls(example({ [path]: text }))).toHaveLength(1);
  });

  test.each([
    ["src/cli/a.ts", 'console.log("x");'],
    ["src/lib/clock.ts", "Date.now();"],
    ["src/ledger/a.test.ts", "Date.now(); Math.random();"],
    ["src/sandbox/a.ts", "Math.random();"],
    ["src/http/a.ts", "// Date.now() is not allowed here\nconst s = 'Date.now()';"],
    ["src/http/a.ts", "new Date(atMs); const company: anyone = 1; x({ any: 1 });"],
    ["src/protocols/a.ts", "parseFloat(x);"],
    ["src/http/a.ts", 'import type { z } from "zod";'],
  ])("allows in %s: %s", (path, text) => {
    expect(bannedCalls(example({ [path]: text }))).toEqual([]);
  });

  test("refuses files named after nothing", () => {
    const names = ["src/lib/utils.ts", "src/http/types.ts", "test/helpers/a.ts", "src/lib/ids.ts"];
    const found = emptyNames(names.map((path) => ({ path, text: "" })));
    expect(found).toEqual(names.slice(0, 3));
  });
});

describe("the rule of prose", () => {
  const faults = (path: string, text: string) => {
    const found = proseFaults(
      [{ path, text }],
      path.endsWith(".ts") ? example({ [path]: text }) : [],
    );
    return found.map(({ kind }) => kind);
  };

  test("finds sentences without an actor, and private words", () => {
    expect(faults("docs/a.md", "# A\n\nIt runs. Of these the last one counts.\n")).toEqual([
      "documents",
    ]);
    expect(faults("docs/a.md", "# A\n\n- Whoever asks is told.\n")).toHaveLength(2);
    expect(faults("src/lib/a.ts", "// Whom it asks, it tells.")).toEqual(["comments"]);
    expect(faults("src/lib/a.ts", 'const text = "Tell whoever runs it.";')).toEqual(["messages"]);
  });

  test("reads neither code nor names", () => {
    expect(faults("docs/a.md", "# A\n\n```sh\n# Of what\n```\n\n`whoever is` is code.\n")).toEqual(
      [],
    );
    expect(faults("src/lib/a.ts", 'import { a } from "./easel.ts";\nconst whoever = a;')).toEqual(
      [],
    );
    expect(faults("docs/a.md", "# A\n\nThe list of them ends. It says who asks.\n")).toEqual([]);
  });

  test("lets no number grow", () => {
    const fault = { kind: "comments", where: "src/lib/a.ts: Of a" } as const;
    const limits = { documents: 0, messages: 0, comments: 1 };
    expect(proseProblems([fault], limits)).toEqual([]);
    expect(proseProblems([fault, fault], limits)).toHaveLength(1);
  });
});

describe("the rule of private words", () => {
  const STYLE = `# Style

| term | meaning |
| --- | --- |
| seat | not in this table |

## Words that we do not use

| do not write | write |
| --- | --- |
| deed, errand | job |
| shown thoughts | visible reasoning |
| room (money, memory), desk | allowance |

## After

| seat | nor in this one |
`;
  const named = (path: string, text = "") =>
    privateNames(privateWords(STYLE), [{ path }], [toSource(path, text)]);

  test("reads the second table, without entries that have brackets", () => {
    expect(privateWords(STYLE)).toEqual(["deed", "errand", "shown thoughts", "desk"]);
  });

  test("finds words and phrases in names of files and types, also in the plural", () => {
    expect(named("src/a/errand-rows.ts")).toHaveLength(1);
    expect(named("src/errands/a.ts")).toHaveLength(1);
    expect(named("src/a/shown-thought.ts")).toHaveLength(1);
    expect(named("src/a.ts", "interface HeldErrand {}\nexport type DEEDRows = 1;")).toHaveLength(2);
  });

  test("reads neither parts of words nor other names", () => {
    expect(named("src/a/indeed.ts", "type Shown = 1;\nconst deed = 1; // class Deed")).toEqual([]);
    expect(named("docs/deed.md")).toEqual([]);
    expect(named("src/rooms.ts", "type Seat = 1;")).toEqual([]);
  });
});

describe("the rules for every file", () => {
  test("want one title in a document, and do not read code blocks", () => {
    const titles = (text: string) => titleProblems([{ path: "docs/a.md", text }]).length;
    expect(titles("# One\n\n```sh\n# a comment\n```\n\n## Two\n")).toBe(0);
    expect(titles("# One\n\n# Two\n")).toBe(1);
    expect(titles("no title\n")).toBe(1);
  });

  test("find where packages came from and paths of one machine", () => {
    const traces = (path: string, text: string) => machineTraces([{ path, text }]).length;
    expect(traces("package-lock.json", '"resolved": "x"')).toBe(1);
    expect(traces("package-lock.json", '"version": "1.0.0"')).toBe(0);
    expect(traces(".npmrc", ["regis", "try=https://host"].join(""))).toBe(1);
    expect(traces("docs/a.md", ["see /wo", "rk/main"].join(""))).toBe(1);
    expect(traces("docs/a.md", "https://example.org/work/x and src/work/x")).toBe(0);
  });

  test("find packages that ask for a newer Node than the project", () => {
    const wants = (node: string) => newerEngines({ packages: { a: { engines: { node } } } });
    expect(wants(">=22")).toEqual(["a"]);
    expect(wants(">=20.19")).toEqual(["a"]);
    expect(wants("18 || 20 || >=22")).toEqual([]);
    expect(newerEngines({ packages: { a: {} } })).toEqual([]);
  });
});
