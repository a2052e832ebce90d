import { type AddressFilter, SafeFetchError, safeFetch } from "../../lib/net/safe-fetch.ts";
import { FairQueue } from "../../lib/threads/fair-queue.ts";
import { readDataUrl } from "./data-url.ts";
import { BODY, fitPicture, MATERIAL, type PictureTarget } from "./fit.ts";
import { fitMoving } from "./fit-moving.ts";
import { type ImageWorker, type ImageWorkerLimits, openImageWorker } from "./image-worker.ts";
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
  if (!(thrown instanceof SafeFetchError)) return thrown;
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

/** What all accounts share. */
interface Shop {
  readonly limits: PictureLimits;
  readonly worker: ImageWorker;
  readonly filter: AddressFilter;
  /** Unpacked pictures are large, so there is one at a time, of one account after the other. */
  readonly still: FairQueue;
  /** Animations take long, and need not keep the others waiting. */
  readonly moving: FairQueue;
}

/** The pictures of somebody's drafts: nobody's wait for all that another has in line. */
export type ImagesFor = (accountId: string) => Images;

export function openImages(
  limits: PictureLimits & ImageWorkerLimits,
  filter: AddressFilter,
): ImagesFor {
  const worker = openImageWorker(limits);
  const shop = { limits, worker, filter, still: new FairQueue(), moving: new FairQueue() };
  return (accountId) => new Images(shop, accountId);
}

/** Brings pictures of an account into the forms that the platform takes. */
export class Images {
  readonly #shop: Shop;
  readonly #accountId: string;

  constructor(shop: Shop, accountId: string) {
    this.#shop = shop;
    this.#accountId = accountId;
  }

  /** Throws a `PictureError` for whatever is not a whole picture within the limits. */
  async load(ref: PictureRef): Promise<Picture> {
    const { bytes, name = "image" } = await this.#bring(ref);
    const { still, limits, worker } = this.#shop;
    return still.run(this.#accountId, () => readPicture(bytes, name, limits, worker));
  }

  async #bring(ref: PictureRef): Promise<PictureBytes> {
    if ("url" in ref) return this.#fetch(ref.url);
    const { image_bytes_max } = this.#shop.limits;
    return "data" in ref ? { bytes: readDataUrl(ref.data, image_bytes_max) } : ref;
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

  async #fit(picture: Picture, place: PictureTarget): Promise<PictureFile> {
    const { still, moving, worker } = this.#shop;
    const made = picture.anatomy.animated
      ? await moving.run(this.#accountId, () => fitMoving(picture, worker))
      : undefined;
    return made ?? still.run(this.#accountId, () => fitPicture(picture, place, worker));
  }

  /** A cover for an article that has none. */
  titleCard(card: TitleCard): Promise<PictureFile> {
    return this.#shop.still.run(this.#accountId, () => drawTitleCard(card));
  }

  async #fetch(url: string): Promise<PictureBytes> {
    const { limits, filter } = this.#shop;
    const { image_bytes_max, image_fetch_ms, image_redirects_max } = limits;
    try {
      const answer = await safeFetch(url, filter, {
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
