// `npm run dev`, in a copy of the tree: saves are made there, never in the checkout.
import { afterAll, expect, test } from "bun:test";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isFull } from "../support/counts.ts";
import { freePort } from "../support/free-port.ts";
import { startServer } from "../support/houses/serving.ts";
import { temporaryFolder } from "../support/houses/temporary-folder.ts";
import { eventually } from "../support/waiting.ts";

const projectDir = join(import.meta.dir, "..", "..");
const folder = temporaryFolder();
for (const name of ["bin", "dev", "src", "web", "package.json", "package-lock.json"]) {
  const filter = (path: string) => basename(path) !== "dist" && !path.endsWith(".test.ts");
  cpSync(join(projectDir, name), join(folder.path, name), { recursive: true, filter });
}
symlinkSync(join(projectDir, "node_modules"), join(folder.path, "node_modules"));
// Each build of the whole console takes seconds, and one of a single line goes the same way.
if (!isFull) {
  for (const name of ["main.tsx", "material/main.tsx", "api/main.tsx"]) {
    const line = `import ${JSON.stringify(join(folder.path, "web", "first-paint.ts"))};\n`;
    writeFileSync(join(folder.path, "web", name), line);
  }
}

function save(path: string, from: string, to: string): void {
  const file = join(folder.path, path);
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

/** The loop, as npm starts it. */
class DevLoop {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly url: string;
  readonly #reading: readonly Promise<void>[];
  #output = "";

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}`;
    const node = process.env.npm_node_execpath ?? "node";
    this.#child = Bun.spawn([node, "bin/with-bun", "dev/run.ts"], {
      cwd: folder.path,
      env: {
        ...process.env,
        FAREGATE_PORT: String(port),
        FAREGATE_DATA: join(folder.path, "data"),
        FAREGATE_LOG: "error",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#reading = [this.#read(this.#child.stdout), this.#read(this.#child.stderr)];
  }

  static async start(): Promise<DevLoop> {
    const loop = new DevLoop(await freePort());
    await loop.says(/Ctrl-C stops|serves http/);
    return loop;
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.#output += decoder.decode(bytes, { stream: true });
  }

  /** Waits for words, which then count as read. */
  async says(words: RegExp): Promise<void> {
    await eventually(`${words} is said`, () => words.test(this.#output)).catch((thrown) => {
      throw new Error(`${thrown.message}; what was said: ${this.#output}`);
    });
    this.#output = "";
  }

  async health(): Promise<unknown> {
    return (await fetch(`${this.url}/healthz`)).json();
  }

  async page(): Promise<string> {
    return (await fetch(`${this.url}/console`)).text();
  }

  /** Whoever was started has ended: all of them hold the ends of these streams. */
  async gone(): Promise<void> {
    await Promise.all(this.#reading);
  }

  end(signal: "SIGINT" | "SIGKILL"): Promise<number> {
    this.#child.kill(signal);
    return this.#child.exited;
  }
}

let loop: DevLoop | undefined;
/** One for all tests, until one of them ends it: to start it takes longer than most of what it does. */
async function running(): Promise<DevLoop> {
  loop ??= await DevLoop.start();
  return loop;
}
// However the tests went, and although its launcher is killed: nobody stays behind.
afterAll(async () => {
  await loop?.end("SIGKILL");
  await loop?.gone();
  folder.remove();
});

test("a save in web/ builds the console again and tells open pages", async () => {
  const dev = await running();
  const before = await dev.page();
  const [script = "", build = ""] =
    /\/console\/assets\/reload-(\w+)\.js/.exec(before)?.slice() ?? [];
  expect(await (await fetch(dev.url + script)).text()).toContain(`data !== "${build}"`);
  const changes = await fetch(`${dev.url}/dev/console-changes`);
  const events = changes.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await events?.read())?.value).toContain(`data: ${build}\n\n`);

  save("web/main.tsx", "import ", "import = ");
  await dev.says(/was not built[\s\S]*main\.tsx[\s\S]*waiting for the next save/);
  expect(await dev.page()).toBe(before);
  save("web/main.tsx", "import = ", 'document.title = "edited";\nimport ');
  const told = (await events?.read())?.value ?? "";
  const after = await dev.page();
  expect(told).toBe(`data: ${/reload-(\w+)\.js/.exec(after)?.[1]}\n\n`);
  expect(told).not.toContain(build);
  const main = /type="module" src="(\/console\/assets\/main-\w+\.js)"/.exec(after)?.[1] ?? "";
  expect(before).not.toContain(main);
  expect(await (await fetch(dev.url + main)).text()).toContain("edited");
});

test("a save in src/ restarts the server, and one that does not parse waits for the next", async () => {
  const dev = await running();
  expect(await dev.health()).toEqual({ status: "ok" });
  save("src/http/health-routes.ts", 'status: "ok"', 'status: "well"');
  await dev.says(/src\/http\/health-routes\.ts saved[\s\S]*serves http/);
  expect(await dev.health()).toEqual({ status: "well" });
  save("src/http/health-routes.ts", 'status: "well"', 'status: = "well"');
  await dev.says(/health-routes\.ts:\d+[\s\S]*waiting for the next save/);
  save("src/http/health-routes.ts", 'status: = "well"', 'status: "ok"');
  await dev.says(/serves http/);
  expect(await dev.health()).toEqual({ status: "ok" });
  expect(await dev.end("SIGINT")).toBe(0);
  await dev.gone();
  loop = undefined;
});

test("what an installation serves has nothing of it", async () => {
  const server = await startServer({ FAREGATE_DATA: join(folder.path, "installed") });
  const page = await fetch(new URL("/console", server.url));
  expect(await page.text()).not.toContain("/assets/reload-");
  expect((await fetch(new URL("/dev/console-changes", server.url))).status).toBe(404);
  expect(await server.stop()).toBe(0);
});
