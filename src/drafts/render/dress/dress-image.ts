// Pictures: alone they are figures with a caption, in a sentence they are as high as they are.

import { isPlatformLink, linkTarget } from "../link-address.ts";
import { type Element, element, NO_STYLE, type Node, type Style } from "../tree.ts";
import { type Dressing, part } from "./dressing.ts";

/** What cameras and editors write where a description should be. */
const NO_CAPTION =
  /^(?:image|img|photo|picture|screenshot|alt|图片?|插图|截图|\S+\.\w{3,4})?\s*\d*$/i;

export function dressFigure(image: Element, dressing: Dressing): Element {
  const words = caption(image);
  const picture = picked(image, { ...dressing.theme.parts.image, ...sizes(image), ...image.style });
  const below = words === "" ? [] : [part(dressing, "caption", "figcaption", [words])];
  return part(dressing, "figure", "figure", [picture, ...below]);
}

/** A picture in a line of text, or in something that brought its own look. */
export function plainImage(image: Element): Element {
  return picked(image, { "max-width": "100%", ...sizes(image), ...image.style });
}

function caption({ attributes }: Element): string {
  const title = attributes.title?.trim() ?? "";
  const alt = attributes.alt?.trim() ?? "";
  return title !== "" ? title : NO_CAPTION.test(alt) ? "" : alt;
}

function picked({ attributes }: Element, style: Style): Element {
  const alt = attributes.alt === undefined || attributes.alt === "" ? {} : { alt: attributes.alt };
  return element("img", style, [], { src: attributes.src ?? "", ...alt });
}

/** The platform drops the attributes, and a height without its width would bend the picture. */
function sizes({ attributes: { width, height } }: Element): Style {
  const length = (given: string) => (/^\d+$/.test(given) ? `${given}px` : given);
  if (width !== undefined) return { width: length(width), height: "auto" };
  return height === undefined ? NO_STYLE : { height: length(height), width: "auto" };
}

/** Pictures with nothing but space between them. */
export function onlyImages(nodes: readonly Node[]): readonly Element[] | undefined {
  const images: Element[] = [];
  for (const node of nodes) {
    if (typeof node === "string") {
      if (node.trim() !== "") return undefined;
    } else if (node.name === "img") images.push(node);
    else if (node.name === "a" && !leadsToPlatform(node)) {
      const inside = onlyImages(node.children);
      if (!inside) return undefined;
      images.push(...inside);
    } else if (node.name !== "br") return undefined;
  }
  return images.length === 0 ? undefined : images;
}

/** Such a link stays around its picture; any other link around one is lost. */
function leadsToPlatform({ attributes }: Element): boolean {
  const url = linkTarget(attributes.href ?? "");
  return url !== undefined && isPlatformLink(url);
}
