import type { CompiledArticle } from "./article/compile.ts";
import type { PictureWork } from "./article/workshop.ts";
import type { CropBoxes, ImageRef } from "./contract/article.ts";
import type { Problem } from "./contract/preview.ts";
import { PictureError, type PictureFile } from "./images/picture.ts";
import { PictureBudget } from "./picture-budget.ts";
import { introduced, type NamedPicture, namedInText, nameOf } from "./picture-name.ts";
import { ratioProblems } from "./preflight/crops.ts";
import type { Finding } from "./preflight/preflight.ts";

/** A picture of the platform's, or a file that is going to be one. */
export type Asset =
  | { readonly kind: "remote"; readonly mediaId: string }
  | { readonly kind: "file"; readonly file: PictureFile };

/** The files of one article, in the forms that the platform takes. */
export interface ArticlePictures {
  /** By their source in the content; those that the platform has already are not here. */
  readonly body: ReadonlyMap<string, PictureFile>;
  /** Absent for image messages. */
  readonly cover: Asset | undefined;
  readonly crops: CropBoxes | undefined;
  readonly images: readonly Asset[];
}

interface PreparedPictures {
  readonly articles: readonly ArticlePictures[];
  readonly problems: readonly Problem[];
}

/** Pictures that are loaded side by side. */
const PARALLEL = 4;

/** What a picture's loading says about it, at the field where the picture stands. */
function pictureProblem(thrown: unknown, field: string, named: NamedPicture): Finding {
  if (!(thrown instanceof PictureError)) throw thrown;
  const { code, message, limit, found, fix } = thrown;
  return {
    severity: "error",
    code,
    field,
    ...(limit !== undefined && { limit }),
    found: found ?? named.picture,
    ...named,
    message: introduced(named, `${message} ${fix}`),
  };
}

/** What moved and does not any more is no longer what its author wanted to show. */
function stillProblem({ notes }: PictureFile, field: string, named: NamedPicture): Finding[] {
  if (!notes.includes("first_frame")) return [];
  const message =
    "The picture does not move any more: of its animation only the first frame is shown. " +
    "Save it as a GIF of at most 10 MB, with fewer or smaller frames.";
  const words = introduced(named, message);
  return [{ severity: "warning", code: "image_still", field, ...named, message: words }];
}

function madeProblem(file: PictureFile, field: string, named: NamedPicture): Finding[] {
  const still = stillProblem(file, field, named);
  const { notes } = file;
  if (!notes.some((note) => note === "reencoded" || note === "resized")) return still;
  const message = introduced(named, "The picture was re-encoded to what the platform takes.");
  const fix = { kind: "re_encode_image" } as const;
  const found = notes.join(", ");
  const code = "image_changed";
  return [...still, { severity: "info", code, field, found, ...named, message, fix }];
}

/** A picture that does not stand in a text; where there is none, a title card is drawn. */
export function nameOfRef(ref: ImageRef = { card: true }): string {
  if ("media_id" in ref) return ref.media_id;
  if ("card" in ref) return "a title card";
  return nameOf("url" in ref ? ref.url : ref.data);
}

async function inGroups<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += PARALLEL) {
    results.push(...(await Promise.all(items.slice(start, start + PARALLEL).map(work))));
  }
  return results;
}

type Note = (findings: readonly Finding[]) => void;

/** Where pictures are prepared: what is said of them, and how much of them may lie there. */
interface Desk {
  readonly note: Note;
  readonly budget: PictureBudget;
}

/** The file that comes of a picture. What there is to say of it, also why it is none, is noted. */
async function made(
  make: () => Promise<PictureFile>,
  field: string,
  named: NamedPicture,
  { note, budget }: Desk,
): Promise<PictureFile | undefined> {
  try {
    if (budget.isFull) return undefined;
    const file = await make();
    // Others were loaded at the same time; it is said once that they are too many.
    if (budget.isFull) return undefined;
    budget.take(file);
    note(madeProblem(file, field, named));
    return file;
  } catch (thrown) {
    note([pictureProblem(thrown, field, named)]);
    return undefined;
  }
}

async function materialOf(
  images: PictureWork,
  ref: ImageRef,
  field: string,
  { title, author, theme }: CompiledArticle,
  desk: Desk,
): Promise<Asset | undefined> {
  if ("media_id" in ref) return { kind: "remote", mediaId: ref.media_id };
  const make = async () =>
    "card" in ref
      ? images.titleCard({ title, author, theme })
      : images.forMaterial(await images.load(ref));
  const file = await made(make, field, { picture: nameOfRef(ref) }, desk);
  return file && { kind: "file", file };
}

async function prepareOne(
  shop: PictureWork,
  article: CompiledArticle,
  isOwnImage: (url: string) => boolean,
  desk: Desk,
): Promise<ArticlePictures> {
  const { doc, bodyImages } = article;
  const body = new Map<string, PictureFile>();
  const sources = bodyImages.filter((src) => !isOwnImage(src));
  const files = await inGroups(sources, (src) => {
    const ref = src.startsWith("data:") ? { data: src } : { url: src };
    const make = async () => shop.forBody(await shop.load(ref));
    return made(make, "source.text", namedInText(doc.source.text, src), desk);
  });
  for (const [at, src] of sources.entries()) {
    const file = files[at];
    if (file) body.set(src, file);
  }
  const images = await inGroups([...(doc.images ?? []).entries()], ([at, ref]) =>
    materialOf(shop, ref, `images[${at}]`, article, desk),
  );
  const cover =
    doc.type === "news"
      ? await materialOf(shop, doc.cover ?? { card: true }, "cover", article, desk)
      : undefined;
  if (cover?.kind === "file") desk.note(ratioProblems(doc, cover.file));
  const crops = doc.cover?.crops;
  return { body, cover, crops, images: images.filter((asset) => asset !== undefined) };
}

/**
 * Loads every picture that the platform does not have and brings it into a form that it takes. Beyond `bytesMax` of
 * all articles together no more is loaded.
 */
export async function preparePictures(
  shop: PictureWork,
  articles: readonly CompiledArticle[],
  isOwnImage: (url: string) => boolean,
  bytesMax: number,
): Promise<PreparedPictures> {
  const budget = new PictureBudget(bytesMax);
  const problems: Problem[] = [];
  const prepared: ArticlePictures[] = [];
  for (const [index, article] of articles.entries()) {
    const note: Note = (findings) => {
      problems.push(...findings.map((finding) => ({ ...finding, article: index })));
    };
    prepared.push(await prepareOne(shop, article, isOwnImage, { note, budget }));
  }
  return { articles: prepared, problems };
}
