import type { PlatformArticle } from "../../wechat/article.ts";
import type { CompiledArticle } from "../article/compile.ts";
import type { ArticleDoc } from "../contract/article.ts";
import type { PlatformRefusal } from "../contract/push.ts";
import type { PictureFile } from "../images/picture.ts";
import { namedInText } from "../picture-name.ts";
import { type ArticlePictures, type Asset, nameOfRef } from "../pictures.ts";
import { toPlatformArticle } from "../platform-api/platform-article.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import type { Reply } from "../platform-api/platform-http.ts";
import { unreached } from "../platform-api/refusal.ts";
import type { ArticleRenderer } from "../render-pool/article-renderer.ts";
import type { UploadedFile, UploadKey, UploadRows } from "../tables/uploads.ts";
import type { PushRun } from "./push-run.ts";

/** Waits between tries of an upload whose answer was lost; a second one only costs space. */
const WAITS_MS = [1_000, 5_000];

/** Kinds that are shown moving only as permanent material. */
const MOVING = new Set(["image/gif"]);

/** The platform would not have a picture; nothing has been sent yet. */
export class UploadRefused extends Error {
  readonly refusal: PlatformRefusal;

  constructor(refusal: PlatformRefusal) {
    super(refusal.errmsg);
    this.refusal = refusal;
  }
}

/** A refusal of one picture says which. */
async function told<T>(
  place: Pick<PlatformRefusal, "field" | "picture">,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof UploadRefused)) throw thrown;
    throw new UploadRefused({ ...thrown.refusal, ...place });
  }
}

function nameIn({ source }: ArticleDoc, src: string): string {
  const { picture, line } = namedInText(source.text, src);
  return line === undefined ? picture : `${picture} (line ${line})`;
}

/** Whether a file that the platform had already can be used again. */
type IsEnough = (known: UploadedFile) => Promise<boolean>;

interface Parts {
  /** Kept before each upload, so that a long row of them does not lose the push. */
  readonly run: PushRun;
  readonly client: PlatformClient;
  readonly renderer: ArticleRenderer;
  readonly store: UploadRows;
}

/** Brings the pictures of one push to the platform, those it has already only once. */
export class Uploads {
  readonly #parts: Parts;
  readonly counts = { uploadedFiles: 0, uploadedBytes: 0, reusedFiles: 0 };
  readonly #reused: { readonly key: UploadKey; readonly mediaId: string | null }[] = [];
  /** Of files of ours, by which articles name their covers and images. */
  readonly #named = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether a medium that the platform does not know may be one that it had already: whoever names another is mistaken. */
  get mayBeLost(): boolean {
    return this.#reused.some(({ mediaId }) => mediaId !== null && this.#named.has(mediaId));
  }

  /**
   * The platform has lost one of those that it had already, and does not say which. An address in a text would lead
   * nowhere without a word, so all of them are uploaded anew.
   */
  async forgetReused(): Promise<void> {
    await this.#parts.store.forget(this.#reused.splice(0).map(({ key }) => key));
    this.counts.reusedFiles = 0;
  }

  /** Uploads what is missing and words the articles for the platform. */
  async place(
    articles: readonly CompiledArticle[],
    pictures: readonly ArticlePictures[],
  ): Promise<readonly PlatformArticle[]> {
    const placed: PlatformArticle[] = [];
    for (const [index, article] of articles.entries()) {
      const files = pictures[index];
      if (!files) throw new Error("an article has lost its pictures");
      placed.push(await this.#placeOne(article, files, index, articles.length === 1));
    }
    return placed;
  }

  async #placeOne(
    article: CompiledArticle,
    { body, cover, crops, images }: ArticlePictures,
    index: number,
    isOnlyArticle: boolean,
  ): Promise<PlatformArticle> {
    const { content, doc } = article;
    const urls = new Map<string, string>();
    for (const [src, file] of body) {
      const place = { field: `articles[${index}].source.text`, picture: nameIn(doc, src) };
      urls.set(src, await told(place, this.#body(file)));
    }
    const imageMediaIds: string[] = [];
    for (const [at, asset] of images.entries()) {
      const place = {
        field: `articles[${index}].images[${at}]`,
        picture: nameOfRef(doc.images?.[at]),
      };
      imageMediaIds.push(await told(place, this.#material(asset)));
    }
    const coverPlace = { field: `articles[${index}].cover`, picture: nameOfRef(doc.cover) };
    const placed = {
      content: urls.size === 0 ? content : await this.#parts.renderer.placeImages(content, urls),
      coverMediaId: cover && (await told(coverPlace, this.#material(cover))),
      coverSize: cover?.kind === "file" ? cover.file : undefined,
      crops,
      imageMediaIds,
    };
    return toPlatformArticle(article, placed, isOnlyArticle);
  }

  async #body(file: PictureFile): Promise<string> {
    if (MOVING.has(file.contentType)) return this.#moving(file);
    const upload = async () => {
      const reply = await this.#parts.client.uploadBody(file);
      return reply.kind === "ok" ? { ...reply, value: { mediaId: null, url: reply.value } } : reply;
    };
    const { url } = await this.#once("body", file, upload, this.#isShown);
    return url ?? "";
  }

  /** The platform takes an address that leads nowhere without a word, where it refuses a medium that it does not know. */
  readonly #isShown = async ({ url }: UploadedFile): Promise<boolean> =>
    url !== null && this.#parts.client.shows(url);

  /** Pictures for texts may not move; the address of permanent material may stand in a text too. */
  async #moving(file: PictureFile): Promise<string> {
    const { url } = await this.#permanent(file, this.#isShown);
    // Asked again, it would only be stored again.
    if (url === null) throw new UploadRefused(unreached("it gave a picture no address.", "config"));
    return url;
  }

  async #material(asset: Asset): Promise<string> {
    if (asset.kind === "remote") return asset.mediaId;
    const { mediaId } = await this.#permanent(asset.file);
    this.#named.add(mediaId ?? "");
    return mediaId ?? "";
  }

  #permanent(file: PictureFile, isEnough?: IsEnough) {
    const upload = () => this.#parts.client.uploadMaterial(file);
    return this.#once("material", file, upload, isEnough);
  }

  async #once(
    use: UploadKey["use"],
    file: PictureFile,
    upload: () => Promise<Reply<UploadedFile>>,
    isEnough: IsEnough = async () => true,
  ): Promise<UploadedFile> {
    const { run, client, store } = this.#parts;
    const { platformUrl: box, appid } = client;
    const key: UploadKey = { box, appid, use, sha256: file.sha256 };
    const known = await store.find(key);
    if (known && (await isEnough(known))) {
      this.counts.reusedFiles += 1;
      this.#reused.push({ key, mediaId: known.mediaId });
      return known;
    }
    const reply = await run.retry(WAITS_MS, upload);
    if (reply.kind === "refused") throw new UploadRefused(reply.refusal);
    if (reply.kind === "unknown") {
      throw new UploadRefused(unreached(reply.reason, "unreachable"));
    }
    await store.save(key, reply.value, run.clock());
    this.counts.uploadedFiles += 1;
    this.counts.uploadedBytes += file.bytes.length;
    return reply.value;
  }
}
