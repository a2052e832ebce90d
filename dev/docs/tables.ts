/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Values by what they have in common, in the order of their first. */
export function groupedBy<Value>(values: readonly Value[], nameOf: (value: Value) => string) {
  return [...Map.groupBy(values, nameOf).values()];
}

export const code = (text: string) => (text === "" ? "" : `\`${text}\``);
