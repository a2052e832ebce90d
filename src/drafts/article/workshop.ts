import type { Picture, PictureFile } from "../images/picture.ts";
import type { TitleCard } from "../images/title-card.ts";
import type { PressFor } from "../press/press.ts";

/** The shop for pictures. It throws a `PictureError` for what cannot be used. */
interface PictureShop {
  load(ref: { readonly url: string } | { readonly data: string }): Promise<Picture>;
  forBody(picture: Picture): Promise<PictureFile>;
  forMaterial(picture: Picture): Promise<PictureFile>;
  titleCard(card: TitleCard): Promise<PictureFile>;
}

/** What drafts are made with. */
export interface Workshop {
  readonly images: PictureShop;
  readonly pressFor: PressFor;
}
