/** Where systems keep programs that are not for everybody. */
const ELSEWHERE = ["/usr/sbin", "/sbin", "/usr/local/sbin"];

/** A program of the system, by its path. Suites that need one run with the full counts only. */
export function systemTool(name: string, debianPackage: string): string {
  const folders = [process.env.PATH ?? "", ...ELSEWHERE].join(":");
  const path = Bun.which(name, { PATH: folders });
  if (path !== null) return path;
  throw new Error(`${name} is not on this machine; on Debian: apt install ${debianPackage}`);
}
