import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the system takes as the address of a socket, on the strictest of systems. */
const PATH_MAX_BYTES = 100;

/** Works with the socket of a folder under a name that is short enough for an address, however long its path is. */
export async function atSocket<T>(folder: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, "books.sock");
  if (Buffer.byteLength(path) <= PATH_MAX_BYTES) return work(path);
  const aside = mkdtempSync(join(tmpdir(), "fg-"));
  try {
    symlinkSync(folder, join(aside, "d"));
    return await work(join(aside, "d", "books.sock"));
  } finally {
    rmSync(aside, { recursive: true });
  }
}
