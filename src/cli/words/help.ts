/** What is said of the commands. Lines and parts are printed as they stand. */
export interface Help {
  readonly title: string;
  /** A line for each, behind which more may be said in lines that are indented further. */
  readonly commands: string;
  /** What several commands take, by the word in brackets that stands for it in their lines. */
  readonly parts: Readonly<Record<string, string>>;
  /** What holds for all commands that begin with a word. */
  readonly families: Readonly<Record<string, string>>;
  readonly end: string;
}

function joined(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}

export function wholeHelp({ title, commands, parts, families, end }: Help): string {
  return joined([title, commands, ...Object.values(parts), ...Object.values(families), end]);
}

/** What is said of the commands that begin with this word. Undefined where there are none. */
export function helpOf({ commands, parts, families }: Help, word: string): string | undefined {
  const entries = commands.split(/\n(?= {2}faregate )/);
  const own = entries.filter((entry) => entry.trim().split(/\s+/)[1] === word);
  if (own.length === 0) return undefined;
  const lines = own.join("\n");
  const named = Object.entries(parts).filter(([name]) => lines.includes(name));
  const family = Object.entries(families).filter(([name]) => name === word);
  return joined([lines, ...[...named, ...family].map(([, part]) => part)]);
}
