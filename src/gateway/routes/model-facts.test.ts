import { expect, test } from "bun:test";
import { priceAt, shippedCatalogue } from "../../catalogue/models.ts";
import { modelFacts } from "./model-facts.ts";

const NOW = Date.parse("2026-11-19T12:00:00Z");
const models = [...shippedCatalogue().all()].filter((model) => priceAt(model, NOW));

interface Facts {
  readonly context_length: number;
  readonly pricing: Readonly<Record<string, string>>;
  readonly architecture: {
    readonly input_modalities: readonly string[];
    readonly modality: string;
  };
  readonly top_provider: { readonly max_completion_tokens: number | null };
  readonly supported_parameters: readonly string[];
}

const factsOf = (id: string) => {
  const model = models.find((each) => each.id === id);
  if (!model) throw new Error(`there is no ${id}`);
  return modelFacts(model, NOW) as unknown as Facts;
};

test.each(models.map((model) => [model.id, model] as const))(
  "%s is told with the price of its list, exactly, and with what it holds",
  (id, model) => {
    const { pricing, context_length, top_provider } = factsOf(id);
    const rates = priceAt(model, NOW)?.rates;
    const pico = (dollars = "") => BigInt(Math.round(Number(dollars) * 1e12));
    expect(pico(pricing.prompt)).toBe(rates?.input ?? -1n);
    expect(pico(pricing.completion)).toBe(rates?.output ?? -1n);
    expect(pico(pricing.input_cache_read)).toBe(rates?.cacheRead ?? -1n);
    expect(context_length).toBe(model.context);
    expect(top_provider.max_completion_tokens).toBe(model.maxOutput || null);
  },
);

test("what a model can do is told by what may be asked of it", () => {
  const sandbox = factsOf("sandbox-1.0");
  expect(sandbox.architecture).toMatchObject({
    modality: "text+image->text",
    input_modalities: ["text", "image"],
  });
  expect(sandbox.supported_parameters).toContainValues(["tools", "reasoning", "temperature"]);
  const embedding = factsOf("sandbox-embedding-1.0");
  expect(embedding.architecture.modality).toBe("text->embeddings");
  expect(embedding.supported_parameters).toEqual([]);
  // It could hear, but nobody can price that.
  expect(factsOf("gemini-2.5-pro").architecture.input_modalities).toEqual([
    "text",
    "image",
    "file",
  ]);
  expect(factsOf("gpt-5.4").supported_parameters).not.toContain("temperature");
});
