import { closeSync, ftruncateSync, openSync } from "node:fs";

const FILE_MODE = 0o600;

/**
 * A file of this size as memory that every process shares which maps it: what is written there is with the
 * system at once and outlives the process, without a call. Undefined where there is no such thing.
 */
export function mapFile(path: string, bytes: number): Buffer | undefined {
  try {
    const fd = openSync(path, "a", FILE_MODE);
    try {
      // What is longer is of another program; what is missing reads as zeros.
      ftruncateSync(fd, bytes);
    } finally {
      closeSync(fd);
    }
    const map = Bun.mmap(path, { shared: true });
    if (map.length !== bytes) return undefined;
    return Buffer.from(map.buffer, map.byteOffset, map.length);
  } catch {
    return undefined;
  }
}
