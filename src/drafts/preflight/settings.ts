import type { CompiledArticle } from "../article/compile.ts";
import { membersAbove, withPictures } from "../article/settings-above.ts";
import { readFrontMatter } from "../render/markdown/front-matter.ts";
import type { Finding } from "./preflight.ts";

/**
 * Settings above the text of a working copy. Whoever brings a text has them applied; in an editor they stand
 * beside fields that say something else, so its author is told and can have them applied.
 */
export function settingsProblems({ doc }: CompiledArticle): Finding[] {
  if (doc.source.format !== "markdown") return [];
  const { fields, problem } = readFrontMatter(doc.source.text);
  const place = { severity: "warning", field: "source.text" } as const;
  if (problem !== undefined) {
    const message = `The settings above the text cannot be read: ${problem}`;
    return [{ ...place, code: "settings_unreadable", found: problem, message }];
  }
  const members = withPictures(membersAbove(fields));
  const names = Object.keys(members);
  if (names.length === 0) return [];
  const found = names.join(", ");
  const message = `The settings above the text (${found}) are not used until they are applied.`;
  const fix = { kind: "apply_settings", members } as const;
  return [{ ...place, code: "settings_above", found, message, fix }];
}
