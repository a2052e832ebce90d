import { mapFile } from "../../../lib/files/mapped-file.ts";

const MARK_BYTES = 4_096;
/** The number, and the same again with all its bits turned: memory that a power cut left may be anything. */
const NUMBER = 0;
const TURNED = 1;

/**
 * The number of the last line of the journal that somebody was told of, outside of the file that has the line: by
 * it a log that was cut is known from one that ends there. It is written when the line is on disk, without a
 * call to the system, so it may say too little after a power cut, and never too much.
 */
export class JournalMark {
  readonly #cells: BigUint64Array;

  private constructor(cells: BigUint64Array) {
    this.#cells = cells;
  }

  /** Undefined where files cannot be mapped. */
  static open(path: string): JournalMark | undefined {
    const bytes = mapFile(path, MARK_BYTES);
    return bytes && new JournalMark(new BigUint64Array(bytes.buffer, bytes.byteOffset, 2));
  }

  /** Zero where nothing whole is written. */
  read(): number {
    const number = this.#cells[NUMBER] ?? 0n;
    const isWhole = this.#cells[TURNED] === BigInt.asUintN(64, ~number);
    return isWhole && number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : 0;
  }

  write(line: number): void {
    const number = BigInt(line);
    this.#cells[NUMBER] = number;
    this.#cells[TURNED] = BigInt.asUintN(64, ~number);
  }
}
