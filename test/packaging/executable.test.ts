// The executable for this machine, in an empty folder from which the sources of this project cannot be seen.
import { describe, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GATE_RUNTIME } from "../../bin/runtime.mjs";
import project from "../../package.json" with { type: "json" };
import { POSTGRES } from "../store/engines.ts";
import { partsOfTest, perFile } from "../support/houses/house.ts";
import { firstCall, oneSentence, PROJECT, run, script, serve, testShipped } from "./shipped.ts";

const canRunHere = process.platform === "linux" && process.arch === "x64";
const NAME = `faregate-${project.version}-linux-x64`;
/** Starts a program that sees an empty folder where the sources are. */
const HIDING = [
  ...["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"'],
  PROJECT,
];
const canHide = Bun.spawnSync([...HIDING, "true"]).success;

const parts = partsOfTest();

const built = await perFile(async (open) => {
  const folder = open.folder();
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = join(open.folder(), "key.pem");
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  const words = ["--target", "linux-x64", "--key", key, "--into", folder];
  await script("dev/ship/binary.ts", ...words);
  return { folder, file: join(folder, NAME), publicKey: createPublicKey(privateKey) };
});

const shipped = await perFile((open) => ({
  cwd: open.folder(),
  command: canHide ? [...HIDING, built.file] : [built.file],
}));

describe.skipIf(!canRunHere)("the executable", () => {
  test("lies beside its hash, the signature of the hashes, and a list of what is in it", () => {
    const read = (name: string) => readFileSync(join(built.folder, name));
    const sums = read("SHA256SUMS");
    expect(verify(null, sums, built.publicKey, read("SHA256SUMS.sig"))).toBe(true);
    const check = Bun.spawnSync(["sha256sum", "--check", "SHA256SUMS"], { cwd: built.folder });
    expect(check.stdout.toString()).toContain(`${NAME}: OK`);
    const bill = JSON.parse(read(`${NAME}.cdx.json`).toString());
    const names = bill.components.map(({ name }: { name: string }) => name);
    const some = ["@napi-rs/canvas", "better-auth", "bun", "mathjax", "react", "stripe", "zod"];
    expect(names).toEqual(expect.arrayContaining(some));
    expect(new Set(names).size).toBe(names.length);
    expect(read(`faregate-${project.version}-third-party-notices.txt`).toString()).toContain("MIT");
  });

  test("is checked by the lines of the page, which see a changed file", async () => {
    const page = await Bun.file(join(PROJECT, "docs", "install.md")).text();
    const [lines = ""] = /^openssl pkeyutl[\s\S]*?(?=^```$)/m.exec(page) ?? [];
    const key = built.publicKey.export({ type: "spki", format: "pem" });
    const files = ["SHA256SUMS", "SHA256SUMS.sig", `${NAME}.cdx.json`];
    const cwd = parts.folder();
    for (const name of files)
      writeFileSync(join(cwd, name), readFileSync(join(built.folder, name)));
    writeFileSync(join(cwd, "faregate.pub"), key);
    const check = () => Bun.spawnSync(["sh", "-ec", lines], { cwd }).exitCode;
    expect(check()).toBe(0);
    writeFileSync(join(cwd, `${NAME}.cdx.json`), "{}");
    expect(check()).not.toBe(0);
    writeFileSync(join(cwd, "SHA256SUMS"), "");
    expect(check()).not.toBe(0);
  });

  test("reads no .env and no bunfig.toml of its folder, and takes no options for Bun", async () => {
    const cwd = parts.folder();
    writeFileSync(join(cwd, ".env"), "FAREGATE_PORT=no-number\n");
    const preload = join(cwd, "preload.ts");
    writeFileSync(preload, 'if (process.argv.includes("office")) console.error("preloaded");\n');
    writeFileSync(join(cwd, "bunfig.toml"), `preload = ["${preload}"]\n`);
    const here = { ...shipped, cwd };
    const options = { BUN_OPTIONS: `--preload=${preload}`, FAREGATE_STATE: join(cwd, "state") };
    const server = await serve(parts, here, options);
    expect((await firstCall(server.url, server.key)).status).toBe(200);
    // The office is another process of the same program.
    expect((await fetch(`${server.url}/console/`)).status).toBe(200);
    const environment = readFileSync(`/proc/${server.pid}/environ`, "utf8").split("\0");
    for (const name of Object.keys(GATE_RUNTIME)) {
      expect(environment.some((line) => line.startsWith(`${name}=`))).toBe(true);
    }
    expect(environment.some((line) => line.startsWith("BUN_OPTIONS"))).toBe(false);
    expect((await server.stop()).errors).not.toContain("preloaded");
    expect(readdirSync(cwd).sort()).toEqual([".env", "bunfig.toml", "data", "preload.ts"]);
  });

  describe("unpacks the drawing library into the folder for temporary files", () => {
    const push = async (temporary: string) => {
      const place = { FAREGATE_DATA: join(parts.folder(), "data"), FAREGATE_STATE: parts.folder() };
      const article = join(parts.folder(), "article.md");
      writeFileSync(article, "---\nauthor: Ada\n---\n# Cranes\n\nThey stay.\n");
      return run(shipped, ["draft", "push", article], { ...place, TMPDIR: temporary });
    };

    test("once for all processes", async () => {
      const temporary = parts.folder();
      for (const _ of ["first", "second"]) {
        expect(await push(temporary)).toMatchObject({ code: 0 });
        expect(readdirSync(temporary)).toEqual([expect.stringMatching(/\.node$/)]);
      }
    });

    test("and says what to do where it cannot", async () => {
      const { code, stderr } = await push("/proc/no-folder");
      expect(code).not.toBe(0);
      expect(stderr).toContain(
        "faregate: The library that draws pictures does not load. Set TMPDIR ",
      );
    });
  });

  test("serves with several gates on PostgreSQL", async () => {
    const { settings } = await POSTGRES.site(parts);
    const more = { ...settings, FAREGATE_WORKERS: "2", FAREGATE_STATE: parts.folder() };
    const server = await serve(parts, shipped, more);
    expect((await firstCall(server.url, server.key)).status).toBe(200);
    expect((await fetch(`${server.url}/console/`)).status).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });

  describe.skipIf(!canHide)("on a root that is read-only", () => {
    const writable = (folder: string) => ({
      cwd: "/",
      command: [
        ...["unshare", "--mount", "sh", "-c"],
        'mount -t tmpfs none "$0" && mount -o remount,bind,ro / && exec "$@"',
        ...[folder, built.file],
      ],
    });

    test("serves from one folder that is not", async () => {
      const folder = parts.folder();
      const place = { FAREGATE_DATA: join(folder, "data"), FAREGATE_STATE: join(folder, "state") };
      const server = await serve(parts, writable(folder), place);
      expect((await firstCall(server.url, server.key)).status).toBe(200);
      expect((await server.stop()).code).toBe(0);
    });

    test("says that the folder cannot be written to", async () => {
      const here = writable(parts.folder());
      expect(await run(here, ["serve"], { FAREGATE_DATA: "/no-such-folder" })).toMatchObject(
        oneSentence("/no-such-folder cannot be written to", "FAREGATE_DATA"),
      );
    });
  });

  test("a target that does not exist is named with those that do", async () => {
    const words = ["bin/with-bun", "dev/ship/binary.ts", "--target", "plan9-x64"];
    const node = { cwd: PROJECT, command: ["node"] };
    expect(await run(node, words, {})).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no target plan9-x64\. Choose: linux-x64, [^\n]*\n$/),
    });
  });

  testShipped("in an empty folder", shipped, { typed: "faregate", whole: false });
});
