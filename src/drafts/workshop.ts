import type { Picture, PictureFile } from "./images/picture.ts";
import type { TitleCard } from "./images/title-card.ts";

interface Rendered {
  readonly html: string;
  /** Sources as written, in their order. */
  readonly images: readonly { readonly src: string; readonly alt: string }[];
  readonly text: string;
  /** What rendering changed or left out. */
  readonly notes?: readonly { readonly code: string; readonly count: number }[];
}

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
  render(
    article: {
      readonly format: "markdown" | "html";
      readonly text: string;
      readonly title: string;
    },
    options: { readonly theme?: string | undefined },
  ): Promise<Rendered>;
  renderPlain(text: string, format: "markdown" | "html"): string;
  /** The same HTML with the sources of its images replaced. */
  placeImages(html: string, urls: ReadonlyMap<string, string>): string;
}
