// Which draft a file became, so that pushing it again does not make a second one by accident.
//
// It is written beside what other programs of this person remember, and never into the file: that is theirs.
// Only ids are kept. They are unique wherever they were given, so whether one is known at the server that is
// asked now is for that server to say.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./draft-server.ts";

/** Of as many servers and public accounts as anybody pushes one file to. */
const DRAFTS_MAX = 10;
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const;

function folderOf(env: Environment): string {
  if (env.FAREGATE_STATE) return env.FAREGATE_STATE;
  return join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "faregate");
}

export class PushedFiles {
  readonly #folder: string;

  constructor(env: Environment) {
    this.#folder = join(folderOf(env), "pushed");
  }

  /** The newest first; none where nothing is known, or what was written cannot be read. */
  draftsOf(path: string): readonly string[] {
    try {
      const kept: unknown = JSON.parse(readFileSync(this.#noteOf(path), "utf8"));
      const { drafts } = kept as { drafts?: unknown };
      return Array.isArray(drafts) ? drafts.filter((id) => typeof id === "string") : [];
    } catch {
      return [];
    }
  }

  /** Throws what the file system says where it cannot be written. */
  remember(path: string, draftId: string): void {
    const others = this.draftsOf(path).filter((id) => id !== draftId);
    const drafts = [draftId, ...others].slice(0, DRAFTS_MAX);
    mkdirSync(this.#folder, { recursive: true, mode: OWNER_ONLY.folder });
    const note = this.#noteOf(path);
    // Whoever reads it meanwhile reads all of it.
    const next = `${note}.${process.pid}`;
    const text = `${JSON.stringify({ path: realpathSync(path), drafts })}\n`;
    writeFileSync(next, text, { mode: OWNER_ONLY.file });
    renameSync(next, note);
  }

  /** One small file for each, so that two pushes of different files never meet. */
  #noteOf(path: string): string {
    const name = createHash("sha256").update(realpathSync(path)).digest("hex");
    return join(this.#folder, `${name}.json`);
  }
}
