// How far the bound of a text stands above what tokenizers count, and what it takes to find it.
//
//   npm run bench:bound            # ratios of bound to count, then microseconds
//   npm run bench:bound -- --cost  # microseconds only: no tokenizer is loaded
import { TOKEN_FAMILIES, type TokenFamilyName } from "../../src/catalogue/bounds/families.ts";
import { textBound } from "../../src/catalogue/bounds/text-meter.ts";
import { openVocabulary } from "../../src/catalogue/bounds/vocabularies.ts";
import { measureInput } from "../../src/catalogue/input-measure.ts";
import { MADE, numbersFrom, WRITTEN } from "../../test/tokenizers/corpora.ts";
import type { TokenizerName } from "../../test/tokenizers/tokenizers.ts";

/** Each tokenizer with the family whose texts it stands for; the rest are what anybody may use. */
const COLUMNS: readonly (readonly [TokenizerName, TokenFamilyName])[] = [
  ["o200k", "openai"],
  ["cl100k", "openai_embeddings"],
  ["claude", "anthropic"],
  ["gemini", "google"],
  ["deepseek", "deepseek"],
  ["qwen", "qwen"],
  ["tekken", "mistral"],
  ["llama3", "unknown"],
  ["llama2", "unknown"],
  ["mistral", "unknown"],
];

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => "---")), ...lines.map(row)].join("\n");
}

/** Bound to count, the family's factor included. */
async function ratios(): Promise<string> {
  const { TOKENIZERS } = await import("../../test/tokenizers/tokenizers.ts");
  const random = numbersFrom(1);
  const made = Object.entries(MADE).map(([kind, make]) => {
    return [kind, Array.from({ length: 10 }, () => make(random)).join("\n")] as const;
  });
  const lines = [...Object.entries(WRITTEN), ...made].map(([kind, text]) => {
    const cells = COLUMNS.map(([tokenizer, family]) => {
      const { vocabulary, factor } = TOKEN_FAMILIES[family];
      const most = Math.max(Buffer.byteLength(text), textBound(text, openVocabulary(vocabulary)));
      const bound = Math.min(textBound(text, openVocabulary(vocabulary)) * factor, most);
      return (bound / TOKENIZERS[tokenizer](text)).toFixed(2);
    });
    return [kind, ...cells];
  });
  return table(["text", ...COLUMNS.map(([tokenizer]) => tokenizer)], lines);
}

const PROMPT_CHARS = 2_000;
const ROUNDS = 400;

/** The least time of many rounds, in microseconds: other processes only ever add to it. */
function microseconds(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = Bun.nanoseconds();
    for (let i = 0; i < 8; i++) work();
    least = Math.min(least, (Bun.nanoseconds() - startedAt) / 8);
  }
  return least / 1_000;
}

function costs(): string {
  const kinds = ["english", "german", "russian", "chinese", "code", "json"];
  const lines = kinds.map((kind) => {
    const text = JSON.parse(JSON.stringify((WRITTEN[kind] as string).slice(0, PROMPT_CHARS)));
    const input = { conversation: [{ role: "user", content: text }], tools: undefined };
    const kilobytes = Buffer.byteLength(text) / 1_024;
    const estimate = microseconds(() => measureInput(input));
    const both = microseconds(() =>
      measureInput(input, { vocabularies: ["o200k"], enough: 1_000_000 }),
    );
    return [
      kind,
      kilobytes.toFixed(1),
      estimate.toFixed(2),
      both.toFixed(2),
      ((both - estimate) / kilobytes).toFixed(2),
    ];
  });
  return table(["prompt", "KB", "estimate µs", "with the bound µs", "bound µs / KB"], lines);
}

if (!process.argv.includes("--cost")) console.log(`${await ratios()}\n`);
console.log(costs());
