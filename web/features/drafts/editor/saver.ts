// Keeps a working copy on the server: what changes is sent a moment later, one save at a time, each
// on the version that it was made from.

export type SaveState = "saved" | "waiting" | "saving" | "failed" | "conflict";

export interface SaverParts<Copy> {
  /** Answers the new version. */
  readonly send: (copy: Copy, base: number) => Promise<number>;
  /** Whether it is the copy that is refused, and would be again. By any other error it may have been saved. */
  readonly isUnfit: (error: unknown) => boolean;
  /** Whether a refusal says that somebody else has saved meanwhile. */
  readonly isConflict: (error: unknown) => boolean;
  readonly onChange: (state: SaveState, version: number) => void;
  readonly later: (work: () => void, ms: number) => () => void;
}

const TYPING_MS = 900;
const AGAIN_MS = 5_000;

export class Saver<Copy> {
  readonly #parts: SaverParts<Copy>;
  #version: number;
  #pending: { readonly copy: Copy } | undefined;
  /** Sent without an answer. It goes first again as it was, or it would be in the way of what is newer. */
  #unanswered: { readonly copy: Copy } | undefined;
  #state: SaveState = "saved";
  #running: Promise<void> | undefined;
  #cancel: (() => void) | undefined;

  constructor(parts: SaverParts<Copy>, version: number) {
    this.#parts = parts;
    this.#version = version;
  }

  get version(): number {
    return this.#version;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** Soon, or at once for what is chosen rather than typed. */
  change(copy: Copy, { now = false } = {}): void {
    this.#pending = { copy };
    if (this.#state === "conflict" || this.#running) return;
    this.#tell("waiting");
    this.#schedule(now ? 0 : TYPING_MS);
  }

  /** Everything that was typed is on the server when it resolves, or it stays unsaved and false. */
  async flush(): Promise<boolean> {
    if (this.#isIn("conflict")) return false;
    this.#cancel?.();
    while (this.#running || this.#pending) {
      await (this.#running ?? this.#save());
      if (this.#isIn("failed", "conflict")) return false;
    }
    return true;
  }

  /** Goes on from another version: of somebody else, or of before. */
  restart(version: number, copy?: Copy): void {
    this.#version = version;
    this.#pending = copy === undefined ? undefined : { copy };
    this.#unanswered = undefined;
    this.#cancel?.();
    this.#tell(copy === undefined ? "saved" : "waiting");
    if (copy !== undefined) this.#schedule(0);
  }

  /** For the end of the page. What is left is sent at once. */
  stop(): void {
    this.#cancel?.();
    if (this.#pending && this.#state !== "conflict") void this.#save();
  }

  #isIn(...states: readonly SaveState[]): boolean {
    return states.includes(this.#state);
  }

  #schedule(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#parts.later(() => void this.#save(), ms);
  }

  #tell(state: SaveState): void {
    this.#state = state;
    this.#parts.onChange(state, this.#version);
  }

  #save(): Promise<void> {
    this.#running ??= this.#send().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #send(): Promise<void> {
    while (this.#pending && this.#state !== "conflict") {
      const sent = this.#unanswered ?? this.#pending;
      if (sent === this.#pending) this.#pending = undefined;
      this.#tell("saving");
      try {
        this.#version = await this.#parts.send(sent.copy, this.#version);
        this.#unanswered = undefined;
        if (!this.#pending) this.#tell("saved");
      } catch (error) {
        this.#pending ??= sent;
        this.#unanswered = this.#parts.isUnfit(error) ? undefined : sent;
        const isConflict = this.#parts.isConflict(error);
        this.#tell(isConflict ? "conflict" : "failed");
        if (!isConflict) this.#schedule(AGAIN_MS);
        return;
      }
    }
  }
}
