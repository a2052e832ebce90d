import { expect, test } from "bun:test";
import { join } from "node:path";

const SRC = join(import.meta.dir, "..", "..", "src");

/** What a process of its own has loaded of packages after it has run this. */
function loadedBy(code: string): string[] {
  const told =
    'console.log(JSON.stringify(Object.keys(require.cache).filter((p) => p.includes("node_modules"))));';
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", `${code}\n${told}`], {
    cwd: SRC,
    stderr: "pipe",
  });
  expect(stderr.toString()).toBe("");
  return JSON.parse(stdout.toString());
}

const ROUTES = `
  import { readConfig } from "./config/config.ts";
  import { gatewayRoutes } from "./gateway/routes.ts";
  import { openWires } from "./protocols/wires.ts";
  const { limits } = readConfig({});
  const routes = gatewayRoutes({ wires: openWires(limits), limits });
`;

test("the routes of models are declared without the library that checks and describes them", () => {
  expect(loadedBy(ROUTES)).toEqual([]);
  const asked = loadedBy(`${ROUTES} routes[0].operation.body.safeParse({});`);
  expect(asked.some((path) => path.includes("/zod/"))).toBe(true);
});

test("an office is loaded without it", () => {
  const loaded = loadedBy('await import("./cli/office.ts");');
  expect(loaded.filter((path) => path.includes("/zod/"))).toEqual([]);
});
