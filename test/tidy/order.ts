// The floors of the house: a file may name files of its own room and of rooms below it.
import { referencesOf } from "./imports.ts";
import type { Source } from "./source.ts";

/** From the roof to the ground. */
const FLOORS = [
  "cli",
  "compose",
  "http",
  "store",
  "drafts",
  "console",
  "payments",
  "installation",
  "gateway",
  "admission",
  "ledger",
  "conversations",
  "accounts",
  "platform",
  "upstream",
  "sandbox",
  "catalogue",
  "protocols",
  "notices",
  "wechat",
  "config",
  "telemetry",
  "lib",
];

interface Closed {
  from: string;
  to: RegExp;
  because: string;
}

/** Downward, and forbidden all the same. */
const CLOSED: Closed[] = [
  {
    from: "drafts",
    to: /^src\/platform\//,
    because: "a client must not borrow the server's validator",
  },
  { from: "http", to: /^src\/store\//, because: "routes speak to rooms, never to a database" },
  {
    from: "console",
    to: /^src\/upstream\/.*credential/,
    because: "the console must not see a vendor's secret",
  },
];

const PORT = /^src\/[^/]+\/(?:.+\/)?store\.ts$/;

export function orderProblems(sources: Source[]): string[] {
  return sources.filter((source) => source.path.startsWith("src/")).flatMap(problemsOf);
}

function problemsOf(source: Source): string[] {
  const from = roomOf(source.path);
  if (!FLOORS.includes(from)) {
    return [`${source.path}: ${from} is not in the list of rooms`];
  }
  const isTest = source.path.endsWith(".test.ts");
  return referencesOf(source).flatMap(({ path }) => {
    // A test beside its code may use what all suites share.
    if (isTest && path.startsWith("test/")) return [];
    const problem = judge(from, path);
    return problem ? [`${source.path} → ${path}: ${problem}`] : [];
  });
}

function judge(from: string, path: string): string | undefined {
  if (!path.startsWith("src/")) {
    return path.endsWith(".ts") ? "src/ must stand without the rest of the project" : undefined;
  }
  const to = roomOf(path);
  if (to === from) return undefined;
  if (FLOORS.indexOf(to) < FLOORS.indexOf(from)) return `${to} stands above ${from}`;
  const closed = CLOSED.find((rule) => rule.from === from && rule.to.test(path));
  if (closed) return closed.because;
  if (from !== "store" && to !== "store" && PORT.test(path))
    return "only store/ may name another room's store.ts";
  return undefined;
}

function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}
