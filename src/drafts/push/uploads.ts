import type { Clock } from "../../lib/clock.ts";
import type { PlatformArticle } from "../../wechat/article.ts";
import type { CompiledArticle } from "../article/compile.ts";
import type { ArticleDoc, ImageRef } from "../contract/article.ts";
import type { PlatformRefusal } from "../contract/push.ts";
import type { PictureFile } from "../images/picture.ts";
import { namedInText } from "../picture-name.ts";
import { type ArticlePictures, type Asset, nameOfRef } from "../pictures.ts";
import { toPlatformArticle } from "../platform-api/platform-article.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import type { Reply } from "../platform-api/platform-http.ts";
import { unreached } from "../platform-api/refusal.ts";
import type { Press } from "../press/press.ts";
import type { UploadedFile, UploadKey, UploadRows } from "../tables/uploads.ts";

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

function nameOf(ref: ImageRef = { card: true }): string {
  return nameOfRef(ref);
}

interface Parts {
  readonly store: UploadRows;
  readonly press: Press;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}

interface UploadCounts {
  readonly uploadedFiles: number;
  readonly uploadedBytes: number;
  readonly reusedFiles: number;
}

/** Brings the pictures of one push to the platform, those it has already only once. */
export class Uploads {
  readonly #parts: Parts;
  readonly #client: PlatformClient;
  /** Called before each upload, so that a long row of them keeps the push's lease. */
  readonly #beforeEach: () => Promise<void>;
  #counts: UploadCounts = { uploadedFiles: 0, uploadedBytes: 0, reusedFiles: 0 };

  constructor(parts: Parts, client: PlatformClient, beforeEach: () => Promise<void>) {
    this.#parts = parts;
    this.#client = client;
    this.#beforeEach = beforeEach;
  }

  get counts(): UploadCounts {
    return this.#counts;
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
        picture: nameOf(doc.images?.[at]),
      };
      imageMediaIds.push(await told(place, this.#material(asset)));
    }
    const coverPlace = { field: `articles[${index}].cover`, picture: nameOf(doc.cover) };
    const placed = {
      content: urls.size === 0 ? content : await this.#parts.press.placeImages(content, urls),
      coverMediaId: cover && (await told(coverPlace, this.#material(cover))),
      coverSize: cover?.kind === "file" ? cover.file : undefined,
      crops,
      imageMediaIds,
    };
    return toPlatformArticle(article, placed, isOnlyArticle);
  }

  async #body(file: PictureFile): Promise<string> {
    if (MOVING.has(file.contentType)) return this.#moving(file);
    const { url } = await this.#once("body", file, async () => {
      const reply = await this.#client.uploadBody(file);
      return reply.kind === "ok" ? { ...reply, value: { mediaId: null, url: reply.value } } : reply;
    });
    return url ?? "";
  }

  /** Pictures for texts may not move; the address of permanent material may stand in a text too. */
  async #moving(file: PictureFile): Promise<string> {
    const hasUrl = ({ url }: UploadedFile) => url !== null;
    const upload = () => this.#client.uploadMaterial(file);
    const { url } = await this.#once("material", file, upload, hasUrl);
    // Asked again, it would only be stored again.
    if (url === null) throw new UploadRefused(unreached("it gave a picture no address.", "config"));
    return url;
  }

  async #material(asset: Asset): Promise<string> {
    if (asset.kind === "remote") return asset.mediaId;
    const { file } = asset;
    const { mediaId } = await this.#once("material", file, () => this.#client.uploadMaterial(file));
    return mediaId ?? "";
  }

  async #once(
    use: UploadKey["use"],
    file: PictureFile,
    upload: () => Promise<Reply<UploadedFile>>,
    isEnough: (known: UploadedFile) => boolean = () => true,
  ): Promise<UploadedFile> {
    const { store, clock } = this.#parts;
    const { platformUrl: box, appid } = this.#client;
    const key: UploadKey = { box, appid, use, sha256: file.sha256 };
    const known = await store.find(key);
    if (known && isEnough(known)) {
      this.#counts = { ...this.#counts, reusedFiles: this.#counts.reusedFiles + 1 };
      return known;
    }
    const uploaded = await this.#insist(upload);
    await store.save(key, uploaded, clock());
    const { uploadedFiles, uploadedBytes, reusedFiles } = this.#counts;
    this.#counts = {
      uploadedFiles: uploadedFiles + 1,
      uploadedBytes: uploadedBytes + file.bytes.length,
      reusedFiles,
    };
    return uploaded;
  }

  async #insist(upload: () => Promise<Reply<UploadedFile>>): Promise<UploadedFile> {
    const [waitMs, ...later] = WAITS_MS;
    return this.#try(upload, waitMs, later);
  }

  async #try(
    upload: () => Promise<Reply<UploadedFile>>,
    waitMs: number | undefined,
    later: readonly number[],
  ): Promise<UploadedFile> {
    await this.#beforeEach();
    const reply = await upload();
    if (reply.kind === "ok") return reply.value;
    if (reply.kind === "refused") throw new UploadRefused(reply.refusal);
    if (waitMs === undefined) throw new UploadRefused(unreached(reply.reason, "unreachable"));
    await this.#parts.sleep(waitMs);
    const [next, ...rest] = later;
    return this.#try(upload, next, rest);
  }
}
