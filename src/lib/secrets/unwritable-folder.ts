/** What the system says where a folder is somebody else's, only for reading, or where none can be made. */
const REFUSALS = ["EACCES", "EPERM", "EROFS", "ENOENT"];

/** The system does not let us write to a folder that somebody has chosen for that. */
export class UnwritableFolderError extends Error {
  override readonly name = "UnwritableFolderError";
  readonly folder: string;
  readonly reason: string;

  constructor(folder: string, cause: Error) {
    super(`${folder} cannot be written to: ${cause.message}`, { cause });
    this.folder = folder;
    this.reason = cause.message;
  }
}

/** Makes something in a folder, or the folder itself; what the system refuses there is told as that. */
export function writingTo<T>(folder: string, write: () => T): T {
  try {
    return write();
  } catch (thrown) {
    const { code = "" } = thrown as { code?: string };
    if (thrown instanceof Error && REFUSALS.includes(code)) {
      throw new UnwritableFolderError(folder, thrown);
    }
    throw thrown;
  }
}
