import { BlockList, isIP } from "node:net";

/** "10.0.0.0/8", "::1" … → undefined when it is neither an address nor a range. */
function parseRange(
  range: string,
): { address: string; bits: number; family: "ipv4" | "ipv6" } | undefined {
  const [address = "", bitsText] = range.split("/");
  const version = isIP(address);
  if (version === 0) return undefined;
  const max = version === 4 ? 32 : 128;
  const bits = bitsText === undefined ? max : Number(bitsText);
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return undefined;
  if (bits > max) return undefined;
  return { address, bits, family: version === 4 ? "ipv4" : "ipv6" };
}

export function isRange(range: string): boolean {
  return parseRange(range) !== undefined;
}

/** An IPv4 client of a dual-stack socket appears as ::ffff:a.b.c.d. */
export function plainAddress(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const plain = plainAddress(address);
  const version = isIP(plain);
  if (version === 0) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const parsed = parseRange(range);
    if (parsed) list.addSubnet(parsed.address, parsed.bits, parsed.family);
  }
  return list.check(plain, version === 4 ? "ipv4" : "ipv6");
}
