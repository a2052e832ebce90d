import { describe, expect, test } from "bun:test";
import { codexModels } from "./codex-models.ts";
import { shippedCatalogue } from "./models.ts";

const models = [...shippedCatalogue().all()];
const described = codexModels(models);

function slug(id: string) {
  const found = described.find((model) => model.slug === id);
  if (!found) throw new Error(`no model ${id}`);
  return found;
}

describe("codexModels", () => {
  test("describes what Codex can use, in the order of the list", () => {
    const ids = described.map((model) => model.slug);
    expect(ids).toContain("claude-opus-5.5");
    expect(ids).not.toContain("lantern-2.1");
    expect(ids).not.toContain("text-embedding-3-small");
    expect(ids).toEqual(models.map(({ id }) => id).filter((id) => ids.includes(id)));
    expect(described.map(({ priority }) => priority)).toEqual(ids.map((_, index) => index));
  });

  test("leaves out no member that Codex cannot do without", () => {
    // One that is missing makes it drop the whole list, without a word.
    const needed = [
      "slug",
      "display_name",
      "description",
      "supported_reasoning_levels",
      "shell_type",
      "visibility",
      "supported_in_api",
      "priority",
      "upgrade",
      "base_instructions",
      "supports_reasoning_summaries",
      "support_verbosity",
      "default_verbosity",
      "apply_patch_tool_type",
      "truncation_policy",
      "supports_parallel_tool_calls",
      "context_window",
      "experimental_supported_tools",
    ];
    for (const model of JSON.parse(JSON.stringify(described))) {
      for (const name of needed) expect(Object.keys(model)).toContain(name);
      expect(model.base_instructions.length).toBeGreaterThan(500);
    }
  });

  test("says of each model what the catalogue says", () => {
    expect(slug("claude-opus-5.5")).toMatchObject({
      display_name: "Claude Opus 5.5",
      context_window: 1_000_000,
      default_reasoning_level: "medium",
      supports_reasoning_summaries: true,
      input_modalities: ["text", "image"],
    });
    expect(slug("gpt-4.1")).toMatchObject({
      supported_reasoning_levels: [],
      default_reasoning_level: null,
      supports_reasoning_summaries: false,
    });
    expect(slug("deepseek-v4-pro").input_modalities).toEqual(["text"]);
    expect(slug("gpt-5.4").supported_reasoning_levels.map(({ effort }) => effort)).toEqual([
      "low",
      "medium",
      "high",
    ]);
  });
});
