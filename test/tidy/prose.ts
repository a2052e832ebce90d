// Plain English in documents, messages and comments, as docs/style.md asks.
import type { ProjectFile, Source } from "./source.ts";

/** How many faults each kind of text may have. A number may only fall. */
export type ProseRatchet = Readonly<Record<ProseKind, number>>;
type ProseKind = "documents" | "messages" | "comments";

export interface ProseFault {
  readonly kind: ProseKind;
  /** The file and the words, such as `docs/a.md: Of what`. */
  readonly where: string;
}

/** A sentence that begins without its actor. A capital letter marks the beginning. */
const OPENING =
  /(?<=^[ \t]*|[.!?:;|>*\-(]\s{0,3})(?:Of|Who|Whoever|Whom|Whatever|What of) [a-z'’]/gm;

/** Words that only authors of this code would use; docs/style.md has their replacements. */
const WORDS = "whoever|easel|errands?|lookout|patiently|unheard|mend(?:s|ed|ing)?|how manieth|anew";
/** One of them beside another word, so that names of files, columns and fields do not count. */
const PRIVATE = new RegExp(`(?<=[a-z,] )(?:${WORDS})\\b(?![./-])|\\b(?:${WORDS})(?= [a-z])`, "gi");

/** docs/style.md shows both as examples. */
const ABOUT_STYLE = ["docs/style.md", "test/tidy/prose.ts"];

function faultsOf(kind: ProseKind, path: string, text: string): ProseFault[] {
  return [...text.matchAll(OPENING), ...text.matchAll(PRIVATE)].map(([words]) => ({
    kind,
    where: `${path}: ${words}`,
  }));
}

/** The characters of `text` that `blanked` lacks; everything else becomes a space. */
function onlyBlanked(text: string, blanked: string): string {
  let kept = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    kept += char === "\n" || char !== blanked[at] ? char : " ";
  }
  return kept;
}

/** A comment without its marks, one sentence after another. */
const withoutMarks = (comments: string) => comments.replace(/^[ \t]*(?:\/\*\*?|\*\/?|\/\/)/gm, "");

/** Released texts of tables cannot be edited, and a sample article is not ours to say. */
const isMessage = ({ path }: Source) =>
  /^(?:src|web|bin)\//.test(path) &&
  !/\.test\.tsx?$|\/zh\/|schema\.ts$|\/tables\/|sample-article\.ts$/.test(path);

export function proseFaults(files: readonly ProjectFile[], sources: readonly Source[]) {
  const pages = files.filter(
    ({ path }) => path.endsWith(".md") && !path.endsWith(".zh.md") && !ABOUT_STYLE.includes(path),
  );
  const documents = pages.flatMap(({ path, text }) => {
    const prose = text.replace(/^(```|~~~).*\n[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "x");
    return faultsOf("documents", path, prose);
  });
  const messages = sources
    .filter(isMessage)
    .flatMap(({ path, code, uncommented }) =>
      faultsOf("messages", path, onlyBlanked(uncommented, code)),
    );
  const comments = sources
    .filter(({ path }) => !ABOUT_STYLE.includes(path))
    .flatMap(({ path, text, uncommented }) =>
      faultsOf("comments", path, withoutMarks(onlyBlanked(text, uncommented))),
    );
  return [...documents, ...messages, ...comments];
}

/** Kinds of text with more faults than the ratchet allows, each with its places. */
export function proseProblems(faults: readonly ProseFault[], ratchet: ProseRatchet): string[] {
  return Object.entries(ratchet).flatMap(([kind, allowed]) => {
    const found = faults.filter((fault) => fault.kind === kind);
    const places = found.map(({ where }) => where).join("\n");
    return found.length > allowed
      ? [`${kind}: ${found.length}, allowed ${allowed}\n${places}`]
      : [];
  });
}
