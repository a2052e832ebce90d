// A drill: a server under load is backed up, the backup is put into another folder, and a server goes on from there.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../../src/lib/ids.ts";
import { typed } from "../cli/commands.ts";
import { TestServer } from "../server.ts";
import { copyFiles } from "../store/tables.ts";
import { partsOfTest, perSuite } from "../support/houses/house.ts";
import { RESPONSES } from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

const CLIENTS = 8;
const BEFORE = 40;
const POOLED = { DATABASE_URL: "postgres://u:p@h/d?prepare=false" };

interface Answered {
  readonly key: string;
  readonly receipt: string;
  readonly responseId: string;
  readonly text: string;
}

async function ask(server: TestServer, key: string, name: string): Promise<Answered> {
  const answer = await server.post("/responses", key, RESPONSES.request(`Say ${name}`), {
    "idempotency-key": name,
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`);
  const { headers } = answer;
  const receipt = headers.get("x-faregate-receipt") ?? headers.get("x-request-id") ?? "";
  return { key: name, receipt, responseId: JSON.parse(text).id, text };
}

/** Clients that ask without a pause until they are told to stop, and what they have been answered. */
function load(server: TestServer, key: string) {
  const answered: Answered[] = [];
  let isOver = false;
  const client = async (place: number) => {
    for (let i = 0; !isOver; i++) answered.push(await ask(server, key, `${place}-${i}`));
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, place) => client(place)));
  const stop = () => {
    isOver = true;
    return clients;
  };
  return { answered, stop };
}

describe("a backup of a server under load", () => {
  const house = perSuite(async (parts) => {
    const folder = join(parts.folder(), "data");
    await copyFiles(folder);
    const server = await TestServer.start({ FAREGATE_DATA: folder });
    parts.defer(() => server.kill());
    const { key, accountId } = await server.account("100", "--rpm", "0");
    const busy = load(server, key);
    await eventually("there is something to back up", () => busy.answered.length >= BEFORE);
    const before = [...busy.answered];
    const file = join(parts.folder(), "backup.tar");
    const made = await typed(["backup", file, "--json"], { FAREGATE_DATA: folder });
    const after = busy.answered.length;
    await busy.stop();
    // What a busy client hears last may have been settled before the moment of the backup.
    const last = await ask(server, key, "asked behind the backup");
    const all = [...busy.answered, last];
    expect(await server.stop()).toBe(0);
    return { parts, folder, file, key, accountId, before, after, all, made };
  });

  /** Puts a backup into a folder, as somebody types it. */
  const restore = (file: string, folder: string, ...more: string[]) =>
    typed(["restore", file, ...more], { FAREGATE_DATA: folder });

  const restored = async (...more: string[]) => {
    const folder = join(house.parts.folder(), "data");
    // One that was killed has left something.
    mkdirSync(join(folder, newId("restore_"), "more"), { recursive: true });
    copyFileSync(join(house.folder, "secret.key"), join(folder, "secret.key"));
    const { code, stdout, stderr } = await restore(house.file, folder, "--json", ...more);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return { folder, facts: JSON.parse(stdout) };
  };

  test("is one file for its owner alone, made while answers went on", () => {
    const { made, file, before, after } = house;
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(["backup.tar"]);
    const { receipts } = JSON.parse(made.stdout);
    expect(receipts).toBeGreaterThanOrEqual(before.length);
    expect(receipts).toBeLessThanOrEqual(after + CLIENTS);
  });

  test("has every receipt that was told before it began, and what a server goes on with", async () => {
    const { folder, facts } = await restored();
    expect(facts).toMatchObject({ secret: "fits", moved_aside: null });
    expect(readdirSync(folder).filter((name) => name.startsWith("restore_"))).toEqual([]);
    const server = await TestServer.start({ FAREGATE_DATA: folder });
    try {
      const told = new Map(house.before.map((each) => [each.receipt, each]));
      const receipts = await server.beside(({ store }) =>
        Promise.all([...told.keys()].map((id) => store.ledger.findReceipt(id, house.accountId))),
      );
      expect(receipts.filter((each) => each?.status === 200)).toHaveLength(told.size);
      for (const { key, text, responseId, receipt } of house.before.slice(-5)) {
        // The answer of then, and not another charge.
        expect(await ask(server, house.key, key)).toEqual({ key, text, responseId, receipt });
        expect((await server.fetch(`/responses/${responseId}`, house.key)).status).toBe(200);
      }
      // What was answered after the moment of the backup has not happened there, and can be asked anew.
      const last = house.all.at(-1) as Answered;
      expect((await ask(server, house.key, last.key)).receipt).not.toBe(last.receipt);
      expect(await server.command("verify")).toMatchObject({ ok: true, open_holds: 0 });
    } finally {
      await server.stop();
    }
  });

  test("is refused where a server runs or an installation is, and --force moves that aside", async () => {
    const { folder } = await restored();
    const server = await TestServer.startHere({ FAREGATE_DATA: folder });
    const running = await restore(house.file, folder, "--force", "--json");
    expect(running).toMatchObject({ code: 2, stderr: expect.stringContaining("stop it first") });
    expect(JSON.parse(running.stdout)).toMatchObject({ error: { code: "database_in_use" } });
    await server.stop();
    const there = await restore(house.file, folder);
    expect(there).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
    const forced = await restore(house.file, folder, "--force", "--json");
    const { moved_aside: aside } = JSON.parse(forced.stdout);
    const moved = readdirSync(aside).filter((name) => !/-(?:wal|shm)$/.test(name));
    expect(moved.sort()).toEqual([
      "console.sqlite",
      "faregate.sqlite",
      "holds.map",
      "journal.mark",
      "responses.sqlite",
    ]);
    expect(await typed(["verify"], { FAREGATE_DATA: folder })).toMatchObject({ code: 0 });
  });

  test("that is cut or changed anywhere is refused, and changes nothing", async () => {
    const bytes = readFileSync(house.file);
    const spoilt = join(house.parts.folder(), "spoilt.tar");
    const flipped = (at: number) => () => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 4;
      writeFileSync(spoilt, copy);
    };
    for (const spoil of [
      () => writeFileSync(spoilt, "no archive at all"),
      () => writeFileSync(spoilt, ""),
      ...[0.1, 0.5, 0.99].map((share) => () => {
        copyFileSync(house.file, spoilt);
        truncateSync(spoilt, Math.floor(bytes.length * share));
      }),
      ...[0.2, 0.5, 0.8].map((share) => flipped(Math.floor(bytes.length * share))),
    ]) {
      spoil();
      const folder = join(house.parts.folder(), "data");
      const { code, stdout, stderr } = await restore(spoilt, folder);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/is not a backup|is not complete|is damaged/);
      expect(stderr).not.toContain("    at ");
      const left = existsSync(folder) ? readdirSync(folder) : [];
      expect(left.filter((name) => !name.endsWith(".lock"))).toEqual([]);
    }
  });

  test("of a newer program is refused in words", async () => {
    const newer = join(house.parts.folder(), "newer.tar");
    const text = readFileSync(house.file, "latin1");
    writeFileSync(
      newer,
      text.replace(/"money": \d+/, (all) => all.replace(/\d+/, (n) => "9".repeat(n.length))),
      "latin1",
    );
    const { code, stderr } = await restore(newer, join(house.parts.folder(), "data"));
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/newer Faregate/),
    });
  });
});

describe("faregate backup", () => {
  const parts = partsOfTest();

  const installed = async () => {
    const folder = join(parts.folder(), "data");
    await copyFiles(folder);
    await (await TestServer.startHere({ FAREGATE_DATA: folder })).stop();
    return { FAREGATE_DATA: folder };
  };

  test("replaces no file unless it is told to, and leaves nothing where it fails", async () => {
    const settings = await installed();
    const file = join(parts.folder(), "b.tar");
    writeFileSync(file, "mine");
    const refused = await typed(["backup", file], settings);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--force replaces") });
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(await typed(["backup", file, "--force"], settings)).toMatchObject({
      code: 0,
      stderr: "",
    });
    truncateSync(join(settings.FAREGATE_DATA, "console.sqlite"), 9_000);
    const failed = await typed(["backup", `${file}.2`], settings);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).not.toContain("    at ");
    expect(readdirSync(dirname(file))).toEqual(["b.tar"]);
  });

  test("whose books are wrong is put back only by whoever accepts it", async () => {
    const settings = await installed();
    const db = new Database(join(settings.FAREGATE_DATA, "faregate.sqlite"));
    db.run("update scopes set max = max + 1 where kind = 'balance'");
    db.close();
    const file = join(parts.folder(), "b.tar");
    expect(await typed(["backup", file], settings)).toMatchObject({ code: 0 });
    const place = { FAREGATE_DATA: join(parts.folder(), "data") };
    const refused = await typed(["restore", file], place);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("does not hold") });
    expect(existsSync(join(place.FAREGATE_DATA, "faregate.sqlite"))).toBe(false);
    const accepted = await typed(["restore", file, "--accept-problems"], place);
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining("does not hold") });
  });

  test("has the secret only where that is asked for, and says so", async () => {
    const settings = await installed();
    const [plain, open] = [join(parts.folder(), "a.tar"), join(parts.folder(), "b.tar")];
    const secret = readFileSync(join(settings.FAREGATE_DATA, "secret.key"), "utf8").trim();
    const without = await typed(["backup", plain], settings);
    expect(without.stdout).toContain("secret.key is not in it");
    expect(readFileSync(plain, "latin1")).not.toContain(secret);
    expect((await typed(["backup", open, "--with-secret"], settings)).stdout).toContain(
      "opens everything",
    );
    for (const [file, state] of [
      [plain, "missing"],
      [open, "fits"],
    ] as const) {
      const folder = join(parts.folder(), "data");
      const { stdout } = await typed(["restore", file, "--json"], { FAREGATE_DATA: folder });
      expect(JSON.parse(stdout)).toMatchObject({ secret: state });
      expect(existsSync(join(folder, "secret.key"))).toBe(state === "fits");
    }
  });

  test.each([
    [["backup"], {}, /name one file/],
    [["restore"], {}, /name one backup/],
    [["backup", "/nowhere/at/all/b.tar"], {}, /there is no folder \/nowhere\/at\/all/],
    [["restore", "/nowhere/b.tar"], {}, /there is no file/],
    [["restore", join(import.meta.path, "b.tar")], {}, /there is no file/],
    [["backup", "b.tar"], POOLED, /pg_dump --format=custom .* without prepare=false/],
    [["restore", "b.tar"], POOLED, /pg_restore .* without prepare=false/],
  ] as const)("%j is answered with what to do", async (args, settings, told) => {
    const folder = join(parts.folder(), "data");
    const { code, stderr } = await typed(args, { FAREGATE_DATA: folder, ...settings });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(told) });
  });
});
