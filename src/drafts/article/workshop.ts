import type { Images } from "../images/images.ts";
import type { PressFor } from "../press/press.ts";

/** What drafts are made with. */
export interface Workshop {
  /** Throws a `PictureError` for what cannot be used. */
  readonly images: Pick<Images, "load" | "forBody" | "forMaterial" | "titleCard">;
  readonly pressFor: PressFor;
}
