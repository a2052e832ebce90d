import { PictureError, type PictureKind } from "../picture.ts";

const HEAD_BYTES = 1_024;

const REFUSED = {
  svg: "SVG can carry scripts and addresses; save the drawing as PNG.",
  heic: "Save the photo as JPEG; phones offer that when sharing it.",
  tiff: "Save the picture as JPEG or PNG.",
  jxl: "Save the picture as JPEG or PNG.",
} as const;

type RefusedKind = keyof typeof REFUSED;

/** The brands of the ISO container, the major one first. */
function brandsOf(head: string): string[] {
  if (head.slice(4, 8) !== "ftyp") return [];
  const brands = head.slice(8, 64).match(/.{4}/gs) ?? [];
  return brands.filter((_brand, index) => index !== 1);
}

function ofContainer(head: string): PictureKind | RefusedKind | undefined {
  const brands = brandsOf(head);
  if (brands.some((brand) => brand === "avif" || brand === "avis")) return "avif";
  return brands.some((brand) => /^(?:hei|hev|mif1|msf1)/.test(brand)) ? "heic" : undefined;
}

function looksLikeSvg(head: string): boolean {
  const text = head.replace(/^\u00ef\u00bb\u00bf/, "").trimStart();
  return /^<(?:\?xml|!--|!doctype svg|svg)/i.test(text) && /<svg[\s>]/i.test(text);
}

/** What the first bytes say, whatever a name or a header claims. */
function sniff(bytes: Uint8Array): PictureKind | RefusedKind | undefined {
  // Not by TextDecoder, whose "latin1" has letters of its own from 0x80 to 0x9f.
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  if (head.startsWith("\u00ff\u00d8\u00ff")) return "jpeg";
  if (head.startsWith("\u0089PNG\r\n\u001a\n")) return "png";
  if (/^GIF8[79]a/.test(head)) return "gif";
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "webp";
  if (head.startsWith("BM") && head.slice(6, 10) === "\0\0\0\0") return "bmp";
  if (head.startsWith("II*\0") || head.startsWith("MM\0*")) return "tiff";
  if (head.startsWith("\u00ff\u000a") || head.slice(4, 8) === "JXL ") return "jxl";
  if (looksLikeSvg(head)) return "svg";
  return ofContainer(head);
}

/** The kind of a picture that can be read; throws for every other file. */
export function kindOf(bytes: Uint8Array): PictureKind {
  const kind = sniff(bytes);
  const limit = "jpeg, png, gif, webp, bmp, avif";
  if (kind === undefined) {
    const fix = "Check that the address leads to a picture and not to a page around it.";
    const message = "The file is not a picture that is known.";
    throw new PictureError("image_not_an_image", message, fix, { limit });
  }
  if (kind in REFUSED) {
    const message = `Pictures of the format ${kind.toUpperCase()} are not taken.`;
    throw new PictureError("image_format", message, REFUSED[kind as RefusedKind], {
      limit,
      found: kind,
    });
  }
  return kind as PictureKind;
}
