// What a process has loaded before anybody has asked it something: it is paid at each start.
import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";

const PROGRAM = `
  await import("./src/cli/office.ts");
  const zod = Object.keys(require.cache).filter((path) => path.includes("/node_modules/zod/"));
  console.log(JSON.stringify(zod));
`;

test("an office is loaded without any schema being made", async () => {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdout: "pipe",
  });
  expect(JSON.parse(await child.stdout.text())).toEqual([]);
  expect(await child.exited).toBe(0);
});
