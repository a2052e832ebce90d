// A disk that takes long to flush: every flush of a server is held back by strace until the test lets go.
import { expect, test } from "bun:test";
import { partsOfTest } from "../support/houses/house.ts";
import { needTool } from "./needed-tool.ts";
import { watchedServer } from "./watched-server.ts";

const parts = partsOfTest();

/** Far longer than anybody waits; it ends with strace. */
const DELAY_MICROSECONDS = 600_000_000;

/** Resolves once every flush of the process waits, with the way to let go of them. */
async function holdFlushes(pid: number): Promise<() => Promise<void>> {
  const strace = Bun.spawn(
    [
      ...[needTool("strace"), "-f", "-p", String(pid), "-o", "/dev/null"],
      ...["-e", "trace=fsync,fdatasync"],
      ...["-e", `inject=fsync,fdatasync:delay_enter=${DELAY_MICROSECONDS}`],
    ],
    { stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  parts.defer(() => strace.kill("SIGKILL"));
  const attached = Promise.withResolvers<void>();
  const listen = async () => {
    let said = "";
    // To its end: it tells of every thread that comes, and dies where nobody listens.
    for await (const bytes of strace.stderr) {
      said += Buffer.from(bytes).toString();
      if (said.includes("attached")) attached.resolve();
    }
    attached.reject(new Error(`strace could not attach to the server: ${said}`));
  };
  void listen();
  await attached.promise;
  return async () => {
    strace.kill("SIGKILL");
    await strace.exited;
  };
}

test("nobody waits for a flush that does not end, and what it flushes late is put right", async () => {
  const watched = await watchedServer(parts, { FAREGATE_DATA: parts.folder() });
  await watched.expectWell();
  const letGo = await holdFlushes(watched.server.pid);
  await watched.expectOut();
  expect((await watched.ask()).status).toBe(503);
  await letGo();
  await watched.expectWell();
  await watched.expectTold();
});

test("whoever was told so is not charged, also where the server is killed before the flush ends", async () => {
  const watched = await watchedServer(parts, { FAREGATE_DATA: parts.folder() });
  const { server, accountId } = watched;
  await watched.expectWell();
  const sums = () =>
    server.beside(async ({ store }) => {
      const { credited, charged } = (await store.ledger.balance(accountId)) ?? {};
      const { problems } = await store.ledger.verify();
      expect(problems).toEqual([]);
      return { credited: credited ?? 0n, charged: charged ?? 0n };
    });
  const before = await sums();
  const letGo = await holdFlushes(server.pid);
  await watched.expectOut();
  // It is gone when strace is, which stands between it and its end.
  process.kill(server.pid, "SIGKILL");
  await letGo();
  await server.kill();
  // A command finds what the dead have left, as a server would.
  const after = await sums();
  const given = after.credited - before.credited;
  expect(given).toBe(after.charged - before.charged);
  // A charge was on its way, or this has shown nothing.
  expect(given).toBeGreaterThan(0n);
  expect(await sums()).toEqual(after);
});
