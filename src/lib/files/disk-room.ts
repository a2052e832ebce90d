import { statfs } from "node:fs/promises";

/** The room on the disk of a folder. */
export interface DiskRoom {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Undefined where nobody can say. */
export async function diskRoomOf(folder: string): Promise<DiskRoom | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}
