// What a server tells of itself: its metrics, as the dashboard asks for them, and its traces.
import { describe, expect, test } from "bun:test";
import dashboard from "../../docs/grafana/faregate.json" with { type: "json" };
import { TestServer } from "../server.ts";
import { METRICS_PUBLIC } from "../support/gauges.ts";
import { perSuite } from "../support/houses/house.ts";
import { openCollector } from "../support/outside/trace-collector.ts";

/** Every expression of the dashboard, with the panel or variable that has it. */
const EXPRESSIONS = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr })),
  ),
  ...dashboard.templating.list.flatMap(({ name, definition = "" }) =>
    definition ? [{ title: name, expr: definition }] : [],
  ),
];

describe("a server under somebody's eyes", () => {
  const house = perSuite(async (parts) => {
    const collector = parts.keep(openCollector());
    const server = await TestServer.startHere({
      ...METRICS_PUBLIC,
      FAREGATE_DATA: parts.folder(),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=tests",
    });
    parts.defer(async () => void (await server.stop()));
    const { firstKey: key } = server;
    const ask = (model: string) =>
      server.post("/chat/completions", key, { model, messages: [{ role: "user", content: "Hi" }] });
    await (await ask("sandbox-1.0")).text();
    await (await ask("none-1.0")).text();
    const metrics = await (await fetch(new URL("/metrics", server.url))).text();
    return { server, collector, metrics };
  });

  /** The names of everything that is counted, as a scrape would store it. */
  function stored(): Set<string> {
    const names = new Set<string>();
    for (const [, name = "", type] of house.metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      if (type !== "histogram") names.add(name);
      else for (const end of ["bucket", "sum", "count"]) names.add(`${name}_${end}`);
    }
    return names;
  }

  test("counts all that the dashboard asks for", () => {
    const names = stored();
    const asked = EXPRESSIONS.flatMap(({ title, expr }) => {
      const found = expr.match(/\bfaregate_\w+/g) ?? [];
      expect({ title, metrics: found.length }).not.toEqual({ title, metrics: 0 });
      return found.map((name) => ({ title, name }));
    });
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.filter(({ name }) => !names.has(name))).toEqual([]);
  });

  test("shows on the dashboard whether storage works", () => {
    const shown = EXPRESSIONS.flatMap(({ expr }) => expr.match(/\bfaregate_\w+/g) ?? []);
    const storage = ["faregate_storage_up", "faregate_storage_failures_total"];
    expect(storage.filter((name) => !shown.includes(name))).toEqual([]);
  });

  test("has the labels that the dashboard goes by", () => {
    const labels = new Map<string, Set<string>>();
    for (const [, name = "", braces = ""] of house.metrics.matchAll(/^(\w+)\{(.*)\} /gm)) {
      const found = [...braces.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
      labels.set(name, new Set([...(labels.get(name) ?? []), ...found]));
    }
    // Whoever scrapes adds these.
    const scraped = ["job", "instance"];
    const missing = EXPRESSIONS.flatMap(({ title, expr }) => {
      const [name = ""] = expr.match(/\bfaregate_\w+/) ?? [];
      const known = labels.get(name);
      if (!known) return [];
      const used = [
        ...[...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, list = ""]) => list.split(/, */)),
        ...[...expr.matchAll(/[{,](\w+)=/g)].map(([, label = ""]) => label),
      ];
      const lost = used.filter((label) => !known.has(label) && !scraped.includes(label));
      return lost.map((label) => ({ title, name, label }));
    });
    expect(missing).toEqual([]);
    expect(labels.get("faregate_errors_total")).toEqual(new Set(["code"]));
  });

  test("counts errors by their code", () => {
    expect(house.metrics).toContain('faregate_errors_total{code="model_not_found"} 1\n');
  });

  test("gives the last spans to the collector before it ends", async () => {
    const { collector, server } = house;
    expect(collector.spans).toHaveLength(0);
    await server.stop();
    const own = collector.spans.filter(({ kind }) => kind === 2);
    expect(own.map(({ attributes }) => attributes["http.response.status_code"])).toEqual([
      200, 404,
    ]);
    expect(collector.resource).toMatchObject({
      "service.name": "faregate",
      "service.version": expect.any(String),
      "service.instance.id": expect.any(String),
      "deployment.environment.name": "tests",
    });
  });
});
