import { closeSync, fsyncSync, openSync } from "node:fs";

/** What file systems say that flush no folders, as some in a network do. */
const NOT_FLUSHED = ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/**
 * Flushes a folder, so that a power cut takes back no name in it. The writer of a file has flushed the file itself. Where
 * folders cannot be flushed, as on Windows, the name is left to the file system.
 */
export function flushFolder(path: string, flush = fsyncSync): void {
  if (process.platform === "win32") return;
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    flush(fd);
  } catch (thrown) {
    if (!NOT_FLUSHED.includes((thrown as { code?: string }).code ?? "")) throw thrown;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
