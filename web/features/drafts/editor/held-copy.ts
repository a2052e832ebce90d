// What is written and not saved yet outlives its page: whoever looks at another one, or has to sign in again, comes
// back to it.

import { Saver, type SaverParts, type SaveState } from "./saver.ts";

interface Shown<Copy> {
  readonly copy: Copy;
  readonly state: SaveState;
}

interface Ways<Copy> extends Omit<SaverParts<Copy>, "onChange"> {
  /** Whether a refusal says that there is nothing to save it to any more. */
  readonly isGone: (error: unknown) => boolean;
}

/** By whose they are and where they are saved. */
const unsaved = new Map<string, HeldCopy<unknown>>();

/** The browser asks before it throws away what is not saved. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** A working copy, with what brings it to the server. */
export class HeldCopy<Copy> {
  readonly saver: Saver<Copy>;
  readonly #name: string;
  readonly #listeners = new Set<() => void>();
  #shown: Shown<Copy>;
  #isGone = false;

  private constructor(name: string, copy: Copy, version: number, ways: Ways<Copy>) {
    this.#name = name;
    this.#shown = { copy, state: "saved" };
    const send: typeof ways.send = async (...sent) => {
      try {
        return await ways.send(...sent);
      } catch (thrown) {
        this.#isGone = ways.isGone(thrown);
        throw thrown;
      }
    };
    this.saver = new Saver({ ...ways, send, onChange: (state) => this.#tell({ state }) }, version);
  }

  /** The one that is not saved yet, or else what the server has. */
  static of<Copy>(name: string, copy: Copy, version: number, ways: Ways<Copy>): HeldCopy<Copy> {
    const held = unsaved.get(name) as HeldCopy<Copy> | undefined;
    return held ?? new HeldCopy(name, copy, version, ways);
  }

  get shown(): Shown<Copy> {
    return this.#shown;
  }

  show(copy: Copy): void {
    this.#tell({ copy });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(change: Partial<Shown<Copy>>): void {
    this.#shown = { ...this.#shown, ...change };
    if (this.#shown.state === "saved" || this.#isGone) this.#letGo();
    else this.#hold();
    for (const listener of this.#listeners) listener();
  }

  #hold(): void {
    unsaved.set(this.#name, this as HeldCopy<unknown>);
    addEventListener("beforeunload", warn);
  }

  #letGo(): void {
    unsaved.delete(this.#name);
    if (unsaved.size === 0) removeEventListener("beforeunload", warn);
  }
}
