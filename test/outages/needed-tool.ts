/** For a test that cannot do without a program: it says so where there is none, rather than pass. */
export function needTool(name: string): string {
  const path = Bun.which(name);
  if (!path) throw new Error(`this test needs "${name}", which is not on this machine`);
  return path;
}
