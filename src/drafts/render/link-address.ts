// Where links lead, and which of them may stay.

/** An address that leads somewhere from anywhere; a place in the page itself is none. */
export function linkTarget(href: string): URL | undefined {
  const absolute = href.startsWith("//") ? `https:${href}` : href;
  return URL.canParse(absolute) ? new URL(absolute) : undefined;
}

/** The platform keeps links to its own articles and drops all others. */
export function isPlatformLink({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && hostname === "mp.weixin.qq.com";
}

/** Chinese words in an address are for readers, not for a wire. */
export function readableAddress(url: URL): string {
  try {
    const text = decodeURI(url.href).replace(/^(?:mailto|tel):/, "");
    return /[\s<>"]/.test(text) ? url.href : text;
  } catch {
    return url.href;
  }
}

/** Whether the words of a link are its address already. */
export function showsAddress(label: string, href: string, url: URL): boolean {
  return bare(label) === bare(url.href) || bare(label) === bare(href);
}

function bare(address: string): string {
  return address.replace(/^(?:https?:\/\/|mailto:|tel:)/i, "").replace(/\/$/, "");
}
