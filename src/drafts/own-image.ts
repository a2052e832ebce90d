/** Hosts of the platform's own pictures; they are not uploaded again. */
const IMAGE_HOSTS = /^https?:\/\/mmbiz\.(?:qpic\.cn|qlogo\.cn)\//i;

/** Whether a picture is the platform's already; `places` are where it has them besides. */
export function isOwnImage(url: string, places: readonly string[]): boolean {
  return IMAGE_HOSTS.test(url) || places.some((place) => url.startsWith(`${place}/mmbiz_`));
}
