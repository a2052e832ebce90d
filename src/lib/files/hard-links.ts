/** Gives a file another name, which nothing may have yet. */
export type Link = (path: string, name: string) => void;

/** What file systems say that have no hard links: FAT, some in a network, and some in user space. */
const NO_LINKS = ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** Whether a link was refused because there are none. Where it was for want of a right, nothing else works either. */
export function hasNoLinks(thrown: unknown): boolean {
  return NO_LINKS.includes((thrown as { code?: string }).code ?? "");
}
