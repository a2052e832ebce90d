import { closeSync, fsyncSync, openSync } from "node:fs";

/** What file systems say that flush no folders, as some in a network do. */
const NOT_FLUSHED = ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/**
 * A power cut must not take a name back that somebody depends on by then. Where folders cannot be flushed that is left
 * to the file system: the file itself was flushed by whoever wrote it.
 */
export function flushFolder(path: string, flush = fsyncSync): void {
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
