/** The sections of an entry of the changelog, in their order. changes/README.md lists them. */
const SECTIONS = [
  "Calling models",
  "Vendors",
  "Money",
  "Running it",
  "Console",
  "Drafts for public accounts",
] as const;

interface ChangeFile {
  readonly name: string;
  readonly text: string;
}

function parse({ name, text }: ChangeFile): { section: string; words: string } {
  const [head = "", ...rest] = text.trim().split("\n");
  const section = head.replace(/^#+\s*/, "").trim();
  const words = rest
    .join("\n")
    .trim()
    .replace(/^[-*]\s+/, "");
  if (!(SECTIONS as readonly string[]).includes(section)) {
    throw new Error(
      `changes/${name} begins with "${section}". Begin it with one of: ${SECTIONS.join(", ")}.`,
    );
  }
  if (words === "") throw new Error(`changes/${name} says nothing below its first line.`);
  return { section, words };
}

/** Makes the entry of a release out of the files of changes/, by section and in the order of their names. */
export function entryOf(version: string, date: string, files: readonly ChangeFile[]): string {
  const changes = files.toSorted((a, b) => a.name.localeCompare(b.name)).map(parse);
  const parts = SECTIONS.flatMap((section) => {
    const own = changes.filter((change) => change.section === section);
    if (own.length === 0) return [];
    const lines = own.map(({ words }) => `- ${words.replace(/\s*\n\s*/g, " ")}`);
    return [`### ${section}\n\n${lines.join("\n")}\n`];
  });
  if (parts.length === 0) throw new Error("changes/ has no file, so there is nothing to release.");
  // A file of changes/ is one folder deeper than the changelog.
  return `## ${version} (${date})\n\n${parts.join("\n")}`.replaceAll("](../", "](");
}

/** Puts an entry above all earlier ones. */
export function withEntry(changelog: string, entry: string): string {
  const at = changelog.search(/^## /m);
  if (at < 0) return `${changelog.trimEnd()}\n\n${entry}`;
  return `${changelog.slice(0, at)}${entry}\n${changelog.slice(at)}`;
}

/** Compares versions of three numbers: negative if `a` is the older one. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(".").map(Number)) as [number[], number[]];
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
