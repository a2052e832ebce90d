import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { perFile } from "../../../test/support/houses/house.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import { ConsoleFiles } from "./console-files.ts";
import { sourcesHash } from "./console-sources.ts";
import { consolePages } from "./static.ts";

const root = await perFile((parts) => parts.folder());
const webDir = join(root, "web");
const script = "export const words = 'hello';\n".repeat(40);
const page = "<!doctype html><title>Faregate</title>";
let builds = 0;

/** Stands in for the bundler: the same layout, without its second of work. */
async function fakeBuild(): Promise<void> {
  builds++;
  const dist = join(webDir, "dist");
  mkdirSync(join(dist, "assets"), { recursive: true });
  writeFileSync(join(dist, "index.html"), page);
  writeFileSync(join(dist, "assets", "main-abc.js"), script);
  writeFileSync(join(dist, "assets", "main-abc.js.gz"), gzipSync(script));
  writeFileSync(join(dist, "assets", "main-abc.js.br"), "brotli bytes");
  const files = { "index.html": { gzip: 0, br: 0 }, "assets/main-abc.js": { gzip: 1, br: 1 } };
  writeFileSync(
    join(dist, "manifest.json"),
    JSON.stringify({ sources: sourcesHash(webDir), files }),
  );
}

function call(
  path: string,
  headers: Record<string, string> = {},
  { from = files, keepOpen = () => {} } = {},
): Promise<Response> {
  const url = new URL(path, "http://localhost");
  const routes = consolePages(from);
  const wildcard = routes.find((route) => route.path === "/console/*");
  const route = routes.find((candidate) => candidate.path === url.pathname) ?? wildcard;
  const request = new Request(url.href, { headers });
  const incoming = { request, url, keepOpen } as unknown as Incoming;
  return route?.handle(incoming) ?? Promise.reject(new Error("no route"));
}

let files: ConsoleFiles;

beforeAll(() => {
  mkdirSync(webDir);
  writeFileSync(join(root, "package-lock.json"), "{}");
  writeFileSync(join(webDir, "build.ts"), "");
  files = new ConsoleFiles(webDir, fakeBuild);
});

describe("the console's files", () => {
  test("are built once for everybody who asks, and again only when the sources change", async () => {
    await Promise.all([files.tree(), files.tree()]);
    expect(builds).toBe(1);
    await new ConsoleFiles(webDir, fakeBuild).tree();
    expect(builds).toBe(1);
    writeFileSync(join(webDir, "main.tsx"), "changed");
    await new ConsoleFiles(webDir, fakeBuild).tree();
    expect(builds).toBe(2);
  });

  test("are asked for again after a build that failed", async () => {
    writeFileSync(join(webDir, "main.tsx"), "changed again");
    let fails = true;
    const shaky = new ConsoleFiles(webDir, async () => {
      if (fails) throw new Error("no bundler");
      await fakeBuild();
    });
    expect(shaky.tree()).rejects.toThrow("no bundler");
    await shaky.tree().catch(() => undefined);
    fails = false;
    expect((await shaky.tree()).size).toBe(2);
  });

  test("may take as long to be built as they like: whoever asked first is not cut off", async () => {
    writeFileSync(join(webDir, "main.tsx"), "changed once more");
    const events: string[] = [];
    const from = new ConsoleFiles(webDir, async () => {
      events.push("built");
      await fakeBuild();
    });
    const keepOpen = () => void events.push("kept open");
    await call("/console", {}, { from, keepOpen });
    expect(events).toEqual(["kept open", "built"]);
    // Whoever comes later waits for nothing, and may not be silent for as long as they like.
    await call("/console", {}, { from, keepOpen });
    expect(events).toHaveLength(2);
  });

  test("change with a source, not with a test or a fixture", () => {
    const before = sourcesHash(webDir);
    mkdirSync(join(webDir, "fixtures"), { recursive: true });
    writeFileSync(join(webDir, "fixtures", "keys.ts"), "x");
    writeFileSync(join(webDir, "paths.test.ts"), "x");
    expect(sourcesHash(webDir)).toBe(before);
    writeFileSync(join(webDir, "paths.ts"), "x");
    expect(sourcesHash(webDir)).not.toBe(before);
  });
});

describe("serving the console", () => {
  test("gives the page for every path that is no file, never from a cache unasked", async () => {
    for (const path of ["/console", "/console/", "/console/keys/key_1", "/console/no/such"]) {
      const response = await call(path);
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(await response.text()).toBe(page);
    }
  });

  test("sends the root to the console", async () => {
    const response = await call("/");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/console"]);
  });

  test("keeps a hashed file for a year, in the best encoding that is taken", async () => {
    const path = "/console/assets/main-abc.js";
    const plain = await call(path);
    expect(plain.headers.get("cache-control")).toContain("immutable");
    expect(await plain.text()).toBe(script);
    const zipped = await call(path, { "accept-encoding": "gzip, deflate" });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await zipped.bytes()).toString()).toBe(script);
    const best = await call(path, { "accept-encoding": "gzip, br;q=0.9" });
    expect(best.headers.get("content-encoding")).toBe("br");
    const refused = await call(path, { "accept-encoding": "gzip, br;q=0" });
    expect(refused.headers.get("content-encoding")).toBe("gzip");
    expect(refused.headers.get("vary")).toBe("accept-encoding");
  });

  test("chooses an encoding at once, whatever a client says that it takes", async () => {
    const spaced = `gzip\t;\tq=1, a${"\t".repeat(300_000)}b`;
    const zipped = await call("/console/assets/main-abc.js", { "accept-encoding": spaced });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
  }, 10_000);

  test("answers an unknown file with 404, and no path leaves the folder", async () => {
    for (const path of ["assets/gone.js", "assets/..%2f..%2fpackage.json"]) {
      const thrown = await call(`/console/${path}`).catch((fault) => fault);
      expect(thrown).toBeInstanceOf(Fault);
      expect(thrown.status).toBe(404);
    }
    expect(await (await call("/console/assets/../manifest.json")).text()).toBe(page);
  });

  test("says that nothing changed to who has it already", async () => {
    const tag = (await call("/console")).headers.get("etag") ?? "";
    expect((await call("/console", { "if-none-match": tag })).status).toBe(304);
    expect((await call("/console", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("lets no inline script run and nobody frame it", async () => {
    for (const path of ["/", "/console", "/console/assets/main-abc.js"]) {
      const { headers } = await call(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
    }
  });
});
