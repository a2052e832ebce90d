// The samples as they are rendered, for suites that look at them from several sides.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderArticle } from "../../../src/drafts/render/render-article.ts";

export const SAMPLES = ["chinese", "english", "everything"] as const;
type Sample = (typeof SAMPLES)[number];

const FOLDER = join(import.meta.dir, "../../../src/drafts/render/samples");

export function sample(name: Sample): string {
  return readFileSync(join(FOLDER, `${name}.md`), "utf8");
}

/** Those that were rendered before: each takes a tenth of a second. */
const rendered = new Map<string, Promise<string>>();

export function renderedSample(name: Sample, theme?: string): Promise<string> {
  const key = `${name} ${theme}`;
  const render = async () =>
    (await renderArticle({ format: "markdown", text: sample(name) }, { theme })).html;
  const html = rendered.get(key) ?? render();
  rendered.set(key, html);
  return html;
}
