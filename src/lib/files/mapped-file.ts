import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

const FILE_MODE = 0o600;
/** Written again and again: all of them at once would be as long as the file. */
const ZEROS = Buffer.alloc(64 * 1024);

/**
 * Makes the file as long as it has to be, with zeros that have their place on the disk: a page of memory for
 * which there is none when it is written first would end the process.
 */
function fill(path: string, bytes: number): void {
  const fd = openSync(path, "a", FILE_MODE);
  try {
    const { size } = fstatSync(fd);
    // What is longer is of another program.
    if (size > bytes) ftruncateSync(fd, bytes);
    for (let missing = bytes - size; missing > 0; ) {
      missing -= writeSync(fd, ZEROS, 0, Math.min(missing, ZEROS.length));
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * A file of this size as memory that every process shares which maps it: what is written there is with the
 * system at once and outlives the process, without a call. Undefined where there is no such thing.
 */
export function mapFile(path: string, bytes: number): Buffer | undefined {
  try {
    fill(path, bytes);
    const map = Bun.mmap(path, { shared: true });
    if (map.length !== bytes) return undefined;
    return Buffer.from(map.buffer, map.byteOffset, map.length);
  } catch {
    return undefined;
  }
}
