// What stands above a markdown text, as members of its article.
import type { readFrontMatter } from "../render/markdown/front-matter.ts";

type Loose = Readonly<Record<string, unknown>>;

/** An address stands for a picture that is there, a data URL for the picture itself. */
function pictureRef(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value.startsWith("data:") ? { data: value } : { url: value };
}

export function withPictures(doc: Loose): Loose {
  return {
    ...doc,
    ...(doc.cover !== undefined && { cover: pictureRef(doc.cover) }),
    ...(Array.isArray(doc.images) && { images: doc.images.map(pictureRef) }),
  };
}

/** By the names that an article has for them; pictures as they are written. */
export function membersAbove(fields: ReturnType<typeof readFrontMatter>["fields"]): Loose {
  const { image_list, need_open_comment, only_fans_can_comment, ...same } = fields;
  return {
    ...same,
    ...(image_list && { images: image_list }),
    ...(need_open_comment !== undefined && { open_comment: need_open_comment }),
    ...(only_fans_can_comment !== undefined && { fans_only_comment: only_fans_can_comment }),
  };
}
