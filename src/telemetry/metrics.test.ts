import { describe, expect, test } from "bun:test";
import { Counter, Histogram, Metrics, writeGauge } from "./metrics.ts";

describe("metrics as Prometheus reads them", () => {
  test("a counter has a line for each set of labels", () => {
    const counter = new Counter("x_total", "Things.", ["a", "b"]);
    counter.add(1, "one", "two");
    counter.add(2, "one", "two");
    counter.add(1, 'q"', "back\\slash\nline");
    expect(counter.write()).toBe(
      "# HELP x_total Things.\n# TYPE x_total counter\n" +
        'x_total{a="one",b="two"} 3\nx_total{a="q\\"",b="back\\\\slash\\nline"} 1\n',
    );
    expect(counter.total).toBe(4);
    expect([counter.of("one", "two"), counter.of("one", "three")]).toEqual([3, 0]);
  });

  test("a counter without labels is there before anything happened", () => {
    expect(new Counter("x_total", "Things.").write()).toEndWith("\nx_total 0\n");
  });

  test("what clients write cannot grow it without end", () => {
    const counter = new Counter("x_total", "Things.", ["a"]);
    for (let i = 0; i < 2_000; i++) counter.add(1, `value ${i}`);
    expect(counter.write().split("\n").length).toBeLessThan(510);
    expect(counter.write()).toContain('x_total{a="other"} 1500\n');
    expect(counter.total).toBe(2_000);
  });

  test("a histogram counts up to each bound, and all", () => {
    const histogram = new Histogram("x_ms", "Time.", [1, 10]);
    for (const value of [0.5, 1, 5, 50]) histogram.observe(value);
    expect(histogram.write()).toEndWith(
      'x_ms_bucket{le="1"} 2\nx_ms_bucket{le="10"} 3\nx_ms_bucket{le="+Inf"} 4\n' +
        "x_ms_sum 56.5\nx_ms_count 4\n",
    );
  });

  test("a gauge has what it is told at this moment, and all of it ends with a line", () => {
    const gauge = { name: "x", help: "Now.", values: [{ labels: { a: "b" }, value: 1 }] };
    expect(writeGauge(gauge)).toBe('# HELP x Now.\n# TYPE x gauge\nx{a="b"} 1\n');
    const text = new Metrics().write([gauge]);
    expect(text).toContain("faregate_charged_nanousd_total 0\n");
    expect(text).toEndWith('x{a="b"} 1\n');
  });
});
