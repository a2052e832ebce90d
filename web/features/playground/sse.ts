/** Reads the data of server-sent events out of pieces that end anywhere. */
export class SseReader {
  #rest = "";

  /** The data of every event that a piece completes. */
  push(piece: string): string[] {
    const lines = (this.#rest + piece).split(/\r\n|\n/);
    // A carriage return at the very end may be the first half of a line's end.
    this.#rest = lines.pop() ?? "";
    return lines
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice("data:".length).trimStart());
  }
}
