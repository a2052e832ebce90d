import { PictureError, type PictureFile } from "./images/picture.ts";

/** The bytes of all pictures of one push, which are in memory together until the last is uploaded. */
export class PictureBudget {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Nothing more is to be loaded. */
  get isFull(): boolean {
    return this.#bytes > this.#bytesMax;
  }

  /** Throws a `PictureError` for the one that is too much. */
  take({ bytes }: PictureFile): void {
    this.#bytes += bytes.length;
    if (!this.isFull) return;
    const limit = this.#bytesMax;
    const message = `With this one, the pictures of the draft have more than ${limit} bytes together.`;
    const fix = "Use fewer or smaller pictures, or several drafts.";
    throw new PictureError("images_too_large", message, fix, { limit, found: this.#bytes });
  }
}
