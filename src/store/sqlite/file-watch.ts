import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { every } from "../../lib/clock.ts";
import { StorageError } from "../../lib/faults.ts";
import type { Log } from "../../telemetry/log.ts";

/** Twice in the time within which it has to be noticed. */
const LOOK_MS = 500;

/** What SQLite has open beside a database. */
const BESIDE = ["", "-wal", "-shm"];

const FIX =
  "this server still has them open under no name: put them back where they were, or stop it and restore " +
  "the whole folder; nothing is let in meanwhile";

type Identity = `${number}:${number}`;

/**
 * Looks whether the files that a process has open are still the ones that their names lead to. What is written
 * to a file that was deleted or replaced is written well, and gone when the process ends; so nobody may be
 * told that it was. All of them belong together: with one gone, none is used until it is back.
 */
export class FileWatch {
  readonly #log: Pick<Log, "error" | "info"> | undefined;
  #paths: readonly string[] = [];
  /** Which file each name led to first. Of what is made only when it is needed, later. */
  readonly #opened = new Map<string, Identity>();
  #stop: () => void = () => {};
  #gone: StorageError | undefined;
  #isLooking = false;
  #isClosed = false;
  /** Told when something is gone. */
  onGone: () => void = () => {};

  constructor(log?: Pick<Log, "error" | "info">) {
    this.#log = log;
  }

  /** Once they are open: databases with what SQLite puts beside them, and files by themselves. */
  begin(databases: readonly string[], files: readonly string[]): void {
    const beside = databases.flatMap((path) => BESIDE.map((end) => path + end));
    this.#paths = [...beside, ...files];
    for (const path of this.#paths) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found) this.#opened.set(path, `${found.dev}:${found.ino}`);
    }
    this.#stop = every(LOOK_MS, () => void this.look());
  }

  /** Throws while something is gone. */
  readonly check = (): void => {
    if (this.#gone) throw this.#gone;
  };

  close(): void {
    this.#stop();
    this.#isClosed = true;
  }

  async look(): Promise<void> {
    // A file system that does not answer is asked once.
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const same = await Promise.all(this.#paths.map((path) => this.#isSame(path)));
      // Whoever closes a database last takes away what was beside it.
      if (this.#isClosed) return;
      this.#found(this.#paths.filter((_, at) => !same[at]));
    } finally {
      this.#isLooking = false;
    }
  }

  async #isSame(path: string): Promise<boolean> {
    const before = this.#opened.get(path);
    try {
      const { dev, ino } = await stat(path);
      const now: Identity = `${dev}:${ino}`;
      if (before === undefined) this.#opened.set(path, now);
      return before === undefined || before === now;
    } catch (thrown) {
      // One that cannot be looked at for another reason may well be there.
      return before === undefined || (thrown as { code?: string }).code !== "ENOENT";
    }
  }

  #found(files: readonly string[]): void {
    if (files.length === 0) {
      if (this.#gone) this.#log?.info("files_back");
      this.#gone = undefined;
      return;
    }
    if (this.#gone) return;
    this.#gone = new StorageError(`${files.join(", ")}: deleted or replaced while it was open`);
    this.#log?.error("files_gone", { files, fix: FIX });
    this.onGone();
  }
}
