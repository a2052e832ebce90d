// Who on the same machine may read what a server keeps: its owner alone.
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { TestServer } from "../server.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { startServer } from "../support/houses/serving.ts";

const parts = partsOfTest();
const PLAIN_UMASK = 0o022;

/** The modes of a folder and of all that is in it. */
const modesOf = (folder: string) =>
  Object.fromEntries(
    ["", ...readdirSync(folder)].map((name) => [
      name,
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    ]),
  );

const FILES = ["faregate", "responses", "console"].flatMap((name) =>
  ["", "-wal", "-shm"].map((end) => `${name}.sqlite${end}`),
);

async function serving<T>(folder: string, work: (server: TestServer) => Promise<T>): Promise<T> {
  const before = process.umask(PLAIN_UMASK);
  try {
    const server = await startServer({ FAREGATE_DATA: folder, FAREGATE_LOG: "warn" });
    try {
      return await work(server);
    } finally {
      await server.stop();
      await server.kill();
    }
  } finally {
    process.umask(before);
  }
}

const CLOSED = {
  "": "700",
  "serve.lock": "600",
  "books.lock": "600",
  "books.sock": "600",
  "holds.map": "600",
  "journal.mark": "600",
  "secret.key": "600",
  ...Object.fromEntries(FILES.map((name) => [name, "600"])),
};

test("a new folder and all that a server puts into it", async () => {
  const folder = join(parts.folder(), "data");
  await serving(folder, async (server) => {
    const asked = { model: "sandbox-1.0", input: "hello" };
    expect((await server.post("/responses", server.firstKey, asked)).status).toBe(200);
    await server.command("account", "list");
    expect(modesOf(folder)).toMatchObject(CLOSED);
    expect(Object.values(modesOf(folder)).filter((mode) => !/^[67]00$/.test(mode))).toEqual([]);
  });
});

test("a folder that an earlier version left open", async () => {
  const folder = join(parts.folder(), "data");
  await serving(folder, async () => {});
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  chmodSync(folder, 0o755);
  const { errors } = await serving(folder, async (server) => {
    expect(modesOf(folder)).toMatchObject(CLOSED);
    return { errors: server.errors };
  });
  // Nothing but that it has started and stopped.
  expect((await errors).replaceAll(/^.*"event":"process_(?:started|stopped)".*\n/gm, "")).toBe("");
});

test("a folder behind a link, in which a database is one as well", async () => {
  const folder = join(parts.folder(), "data");
  await serving(folder, async () => {});
  const elsewhere = parts.folder();
  for (const name of readdirSync(folder).filter((each) => each.startsWith("faregate.sqlite"))) {
    renameSync(join(folder, name), join(elsewhere, name.replace("faregate", "money")));
  }
  symlinkSync(join(elsewhere, "money.sqlite"), join(folder, "faregate.sqlite"));
  chmodSync(join(elsewhere, "money.sqlite"), 0o644);
  chmodSync(folder, 0o755);
  const link = join(parts.folder(), "link");
  symlinkSync(folder, link);
  await serving(link, async (server) => {
    await server.command("account", "list");
    expect(modesOf(folder)).toMatchObject({ "": "700", "faregate.sqlite": "600" });
    const { "money.sqlite": file, "money.sqlite-wal": log } = modesOf(elsewhere);
    expect([file, log]).toEqual(["600", "600"]);
  });
});

test("a folder that is not ours alone is left, and told of once", async () => {
  const folder = join(parts.folder(), "data");
  mkdirSync(join(folder, "else"), { recursive: true });
  chmodSync(folder, 0o755);
  const { errors } = await serving(folder, async (server) => {
    expect(modesOf(folder)).toMatchObject({ ...CLOSED, "": "755" });
    return { errors: server.errors };
  });
  const said = await errors;
  expect(said.match(/data_folder_is_open/g)).toHaveLength(1);
  expect(said).toContain(`chmod go-rwx ${folder}`);
});
