import { expect, test } from "bun:test";
import { METRICS_PATH, OFFICE_PATHS } from "../../src/compose/processes/office-paths.ts";
import { routesAt } from "../../src/http/route-table.ts";
import { SQLITE } from "../store/engines.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { wholeApp } from "../support/houses/whole-app.ts";

const parts = partsOfTest();

/** What every server answers by itself. */
const BY_ITSELF = ["/healthz", "/readyz"];

const isOffices = (path: string) =>
  routesAt(
    [...OFFICE_PATHS, METRICS_PATH].map((each) => ({ path: each })),
    path.replace(/(?<=\/):/g, "").replace(/\*$/, "x"),
  ).length > 0;

test("the gate passes on what the office answers, all of it and nothing else", async () => {
  const site = await SQLITE.site(parts);
  const { routes } = await wholeApp(parts, site, { FAREGATE_PLATFORM_CONTROLS: "on" });
  // Only models may be called by the pages of other sites.
  const [gates, offices] = [true, false].map((isGates) =>
    routes
      .filter(({ path }) => !BY_ITSELF.includes(path))
      .filter(({ pages }) => (pages === "allowed") === isGates)
      .map(({ path }) => path),
  );
  expect(gates?.length).toBeGreaterThan(20);
  // OpenRouter's base URL lies below the console's, and is the gate's all the same.
  expect(gates?.filter(isOffices).filter((path) => !path.startsWith("/api/v1/"))).toEqual([]);
  expect(offices?.length).toBeGreaterThan(100);
  expect(offices?.filter((path) => !isOffices(path) || path.startsWith("/api/v1/"))).toEqual([]);
});
