/** What the draft box asks of the uploads. */
export interface Media {
  /** An upload of this account by its media id, while it lives. */
  findImage(appid: string, mediaId: string): Promise<FoundMedia | undefined>;
}

export interface FoundMedia {
  /** Temporary ones cannot be used in drafts. */
  readonly permanent: boolean;
  /** `image`, `thumb`, `voice` or `video`. */
  readonly type: string;
  /** Where it is shown, below the platform's address, for those that are. */
  readonly path?: string;
}

const WECHAT_HOST = /^(?:mmbiz\.qpic\.cn|mmbiz\.qlogo\.cn|mmecoa\.qpic\.cn|wx\.qlogo\.cn)$/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const IMAGE_PATH = /\/mmbiz_(?:jpg|jpeg|png|gif)\/[\w-]+\/\d+$/;

function isSameHost(one: URL, other: URL): boolean {
  if (one.host === other.host) return true;
  // One machine has several names for itself, and a sender may use another than an uploader.
  const areLocal = LOOPBACK_HOST.test(one.hostname) && LOOPBACK_HOST.test(other.hostname);
  return areLocal && one.port === other.port;
}

/** Whether an address is that of an image that was uploaded to the platform at `origin`. */
export function isOwnImage(url: string, origin: string): boolean {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const parsed = new URL(url);
  if (WECHAT_HOST.test(parsed.hostname)) return true;
  return IMAGE_PATH.test(parsed.pathname) && isSameHost(parsed, new URL(origin));
}
