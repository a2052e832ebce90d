/** The pattern of texts that have this in them. Letters that stand for others are taken as themselves. */
export function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}
