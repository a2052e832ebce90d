/** Where systems keep programs that are not for everybody. */
const ELSEWHERE = ["/usr/sbin", "/sbin", "/usr/local/sbin"];

/**
 * A program of the system, by its path; undefined where it is missing, which is said. Suites that need one run with the
 * full counts only, and are skipped without it: npm cannot bring it.
 */
export function systemTool(name: string, debianPackage: string): string | undefined {
  const folders = [process.env.PATH ?? "", ...ELSEWHERE].join(":");
  const path = Bun.which(name, { PATH: folders });
  if (path !== null) return path;
  console.warn(`Skipped: ${name} is not on this machine; on Debian: apt install ${debianPackage}`);
  return undefined;
}
