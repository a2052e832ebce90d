import type { Publication, Publish } from "./publication.ts";

/** What a mass send leaves behind. */
export interface MassSend {
  readonly msgId: number;
  readonly articleId: string;
  /** The sender's own id for it: a second send with the same one is refused. */
  readonly clientMsgId: string | undefined;
}

export interface PublishingStore {
  /** False when this draft is being published already. */
  submit(publish: Publish): Promise<boolean>;
  find(appid: string, publishId: number): Promise<Publish | undefined>;
  /** Those under way whose time has come. */
  due(nowMs: number): Promise<readonly Publish[]>;
  /**
   * Ends a publish as it was to end, and says how; undefined when somebody else has. With success
   * the draft becomes a publication. A draft that has gone meanwhile is a failure. `pushes` is how
   * often its owner may be told.
   */
  finish(
    publishId: number,
    articleId: string,
    pushes: number,
    nowMs: number,
  ): Promise<Publish | undefined>;
  /** Takes one that its owner is to be told about, and nobody else takes it until `againAtMs`. */
  takePush(nowMs: number, againAtMs: number): Promise<Publish | undefined>;
  /** Its owner has been told. */
  pushed(publishId: number): Promise<void>;
  /** The draft goes out and leaves the box. */
  send(
    appid: string,
    mediaId: string,
    send: MassSend,
    nowMs: number,
  ): Promise<"sent" | "no_draft" | "repeated">;
  publication(appid: string, articleId: string): Promise<Publication | undefined>;
  publicationByMid(appid: string, mid: number): Promise<Publication | undefined>;
  /** Published, not sent, and not all deleted; the newest first. */
  list(appid: string, offset: number, limit: number): Promise<readonly Publication[]>;
  count(appid: string): Promise<number>;
  /** Those of `indexes`, counted from one, are deleted; with the last of them the publish is too. */
  setDeleted(publication: Publication, indexes: readonly number[], nowMs: number): Promise<void>;
}
