import type { Images } from "../images/images.ts";
import type { RendererFor } from "../render-pool/article-renderer.ts";

/** What is done with the pictures of an account. */
export type PictureWork = Pick<Images, "load" | "forBody" | "forMaterial" | "titleCard">;

/** What drafts are made with. */
export interface Workshop {
  /** Throws a `PictureError` for what cannot be used. */
  readonly imagesFor: (accountId: string) => PictureWork;
  readonly rendererFor: RendererFor;
}
