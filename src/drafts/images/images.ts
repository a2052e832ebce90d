import { type AddressGuard, GuardedFetchError, guardedFetch } from "../../lib/net/guarded-fetch.ts";
import { Mutex } from "../../lib/threads/mutex.ts";
import { readDataUrl } from "./data-url.ts";
import { type Easel, type EaselLimits, openEasel } from "./easel.ts";
import { BODY, fitPicture, MATERIAL, type Place } from "./fit.ts";
import { fitMoving } from "./fit-moving.ts";
import { type Picture, PictureError, type PictureFile } from "./picture.ts";
import { type PictureLimits, readPicture, tooLarge } from "./read-picture.ts";
import { drawTitleCard, type TitleCard } from "./title-card.ts";

interface PictureBytes {
  readonly bytes: Uint8Array;
  readonly name?: string;
}

/** Where a picture is, or the picture itself. */
type PictureRef = { readonly url: string } | { readonly data: string } | PictureBytes;

function unreachable(message: string, found?: number): PictureError {
  const fix = "Check the address in a private window of a browser, or attach the picture itself.";
  return new PictureError("image_unreachable", message, fix, { found });
}

/** A failure to fetch, in the words for a picture. */
function toPictureError(thrown: unknown, bytesMax: number): unknown {
  if (!(thrown instanceof GuardedFetchError)) return thrown;
  const { reason, message } = thrown;
  if (reason === "answer_too_large") return tooLarge(bytesMax);
  if (reason === "address_private") {
    const fix = "Attach the picture itself, or have the operator allow private addresses.";
    return new PictureError("image_private_address", message, fix);
  }
  if (reason === "address_malformed") {
    const fix = "Write the whole address of the picture.";
    return new PictureError("image_address", message, fix, { limit: "http:// or https://" });
  }
  return unreachable(message);
}

/** Brings pictures into the forms that the platform takes. */
export class Images {
  readonly #limits: PictureLimits;
  readonly #easel: Easel;
  readonly #guard: AddressGuard;
  /** Unpacked pictures are large, so there is one at a time. */
  readonly #still = new Mutex();
  /** Animations take long, and need not keep the others waiting. */
  readonly #moving = new Mutex();

  constructor(limits: PictureLimits & EaselLimits, guard: AddressGuard) {
    this.#limits = limits;
    this.#easel = openEasel(limits);
    this.#guard = guard;
  }

  /** Throws a `PictureError` for whatever is not a whole picture within the limits. */
  async load(ref: PictureRef): Promise<Picture> {
    const { bytes, name = "image" } = await this.#bring(ref);
    return this.#still.run(() => readPicture(bytes, name, this.#limits, this.#easel));
  }

  async #bring(ref: PictureRef): Promise<PictureBytes> {
    if ("url" in ref) return this.#fetch(ref.url);
    return "data" in ref ? { bytes: readDataUrl(ref.data, this.#limits.image_bytes_max) } : ref;
  }

  /**
   * For the inside of an article: JPEG or PNG, smaller than 1 MB, or a GIF that moves, of at most 10 MB;
   * without metadata.
   */
  forBody(picture: Picture): Promise<PictureFile> {
    return this.#fit(picture, BODY);
  }

  /** For a cover or a picture post: JPEG, PNG or GIF, at most 10 MB, without metadata. */
  forMaterial(picture: Picture): Promise<PictureFile> {
    return this.#fit(picture, MATERIAL);
  }

  async #fit(picture: Picture, place: Place): Promise<PictureFile> {
    const moving = await this.#moving.run(() => fitMoving(picture, this.#easel));
    return moving ?? this.#still.run(() => fitPicture(picture, place, this.#easel));
  }

  /** A cover for an article that has none. */
  titleCard(card: TitleCard): Promise<PictureFile> {
    return this.#still.run(() => drawTitleCard(card));
  }

  async #fetch(url: string): Promise<PictureBytes> {
    const { image_bytes_max, image_fetch_ms, image_redirects_max } = this.#limits;
    try {
      const answer = await guardedFetch(url, this.#guard, {
        headers: { accept: "image/*", "user-agent": "Faregate-Images" },
        bytesMax: image_bytes_max,
        deadlineMs: image_fetch_ms,
        redirectsMax: image_redirects_max,
      });
      if (answer.status < 200 || answer.status > 299) {
        throw unreachable(`The address of the picture answered ${answer.status}.`, answer.status);
      }
      return { bytes: answer.bytes, name: new URL(answer.url).pathname };
    } catch (thrown) {
      throw toPictureError(thrown, image_bytes_max);
    }
  }
}
