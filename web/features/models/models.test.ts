import { describe, expect, test } from "bun:test";
import { MODELS } from "../../fixtures/models.ts";
import { filterModels, hoursText, vendorsOf, weekdaysText } from "./model-list.ts";
import { snippetsOf } from "./snippets.ts";

const ids = (filters: Partial<Parameters<typeof filterModels>[1]>) =>
  filterModels(MODELS, { q: undefined, vendor: undefined, capability: undefined, ...filters }).map(
    ({ id }) => id,
  );

describe("the list of models", () => {
  test("is searched by all words, in any case", () => {
    expect(ids({ q: "CLAUDE sonnet" })).toEqual(["claude-sonnet-5.5"]);
    expect(ids({ q: "claude gpt" })).toEqual([]);
    expect(ids({ q: "  " })).toHaveLength(MODELS.length);
  });

  test("is narrowed by vendor and capability together", () => {
    expect(ids({ vendor: "openai", capability: "reasoning" })).not.toContain(
      "text-embedding-3-small",
    );
    expect(ids({ vendor: "anthropic" })).toEqual(["claude-sonnet-5.5", "claude-opus-4.8"]);
  });

  test("knows its vendors, each once", () => {
    const vendors = vendorsOf(MODELS);
    expect(vendors).toEqual([...new Set(vendors)].sort());
    expect(vendors).toContain("deepseek");
  });
});

describe("hours with a price of their own", () => {
  test("are written as clocks", () => {
    expect(
      hoursText([
        [1, 4],
        [16, 24],
      ]),
    ).toBe("01:00–04:00, 16:00–24:00");
  });

  test("name runs of days from Monday on, and nothing for the whole week", () => {
    expect(weekdaysText([1, 2, 3, 4, 5], "en-US")).toBe("Mon–Fri");
    expect(weekdaysText([0, 6, 2], "en-US")).toBe("Tue, Sat–Sun");
    expect(weekdaysText([0, 1, 2, 3, 4, 5, 6], "en-US")).toBeUndefined();
    expect(weekdaysText([1, 2], "zh-CN")).toBe("周一–周二");
  });
});

describe("snippets", () => {
  const text = (endpoints: Parameters<typeof snippetsOf>[0]["endpoints"]) =>
    snippetsOf({ id: "m-1", endpoints }, "https://gate.example.com").map((one) => one.text);

  test("call an endpoint that the model has", () => {
    expect(text(["responses", "chat"])[0]).toContain("https://gate.example.com/v1/responses ");
    expect(text(["chat"])[1]).toContain('messages=[{"role": "user", "content": "Hello"}]');
    expect(text(["embeddings"])[2]).toContain("client.embeddings.create");
  });

  test("send JSON from curl", () => {
    for (const endpoints of [["responses"], ["chat"], ["embeddings"]] as const) {
      const body = /-d '(.*)'$/.exec(text(endpoints)[0] ?? "")?.[1] ?? "";
      expect(JSON.parse(body).model).toBe("m-1");
    }
  });
});
