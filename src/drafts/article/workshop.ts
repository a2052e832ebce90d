import type { Images } from "../images/images.ts";
import type { PressFor } from "../press/press.ts";

/** What is done with the pictures of an account. */
export type PictureWork = Pick<Images, "load" | "forBody" | "forMaterial" | "titleCard">;

/** What drafts are made with. */
export interface Workshop {
  /** Throws a `PictureError` for what cannot be used. */
  readonly imagesFor: (accountId: string) => PictureWork;
  readonly pressFor: PressFor;
}
