import { expect, test } from "bun:test";
import { join } from "node:path";

const LATE_TASK = `
  import { end, outliveReaders } from ${JSON.stringify(join(import.meta.dir, "ending.ts"))};
  outliveReaders();
  process.stdout.write("x".repeat(500_000));
  const ended = end(3);
  process.stdout.write("late");
  process.stderr.write("late");
  await ended;
`;

test("what a task says after the end changes neither the answer nor the exit code", async () => {
  const child = Bun.spawn([process.execPath, "-e", LATE_TASK], { stdout: "pipe", stderr: "pipe" });
  const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()] as const;
  const [stdout, stderr] = await Promise.all(texts);
  expect({ length: stdout.length, stderr, code: await child.exited }).toEqual({
    length: 500_000,
    stderr: "",
    code: 3,
  });
});

test.each([
  ["at the end", ""],
  ["before", "await Bun.sleep(1);"],
])("what cannot be written anywhere %s is told, and the command ends", async (_when, work) => {
  const script = `
    import { end, outliveReaders } from ${JSON.stringify(join(import.meta.dir, "ending.ts"))};
    outliveReaders();
    process.stdout.write("x".repeat(500_000));
    ${work}
    await end(0);
  `;
  const child = Bun.spawn(["sh", "-c", 'exec "$0" -e "$1" >/dev/full', process.execPath, script], {
    stderr: "pipe",
  });
  expect(await new Response(child.stderr).text()).toContain("what was printed is lost");
  expect(await child.exited).toBe(1);
});
