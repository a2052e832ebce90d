// `npm run dev`, in a copy of the tree: saves are made there, never in the checkout.
import { afterAll, afterEach, expect, test } from "bun:test";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { temporaryFolder } from "./server.ts";
import { eventually } from "./support/waiting.ts";

const projectDir = join(import.meta.dir, "..");
const folder = temporaryFolder();
for (const name of ["bin", "dev", "src", "web", "package.json", "package-lock.json"]) {
  const filter = (path: string) => basename(path) !== "dist" && !path.endsWith(".test.ts");
  cpSync(join(projectDir, name), join(folder.path, name), { recursive: true, filter });
}
symlinkSync(join(projectDir, "node_modules"), join(folder.path, "node_modules"));

function save(path: string, from: string, to: string): void {
  const file = join(folder.path, path);
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop(true);
  return port;
}

/** The loop, as npm starts it. */
class DevLoop {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly url: string;
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
    void this.#read(this.#child.stdout);
    void this.#read(this.#child.stderr);
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

  /** Nobody listens any more. */
  async gone(): Promise<void> {
    const silent = () =>
      this.health().then(
        () => false,
        () => true,
      );
    await eventually("the port is free", silent);
  }

  end(signal: "SIGINT" | "SIGKILL"): Promise<number> {
    this.#child.kill(signal);
    return this.#child.exited;
  }
}

let loop: DevLoop;
afterEach(() => loop.end("SIGKILL"));
afterAll(() => folder.remove());

test("a save in src/ restarts the server, and one that does not parse waits for the next", async () => {
  loop = await DevLoop.start();
  expect(await loop.health()).toEqual({ status: "ok" });
  save("src/http/server.ts", 'status: "ok"', 'status: "well"');
  await loop.says(/src\/http\/server\.ts saved[\s\S]*serves http/);
  expect(await loop.health()).toEqual({ status: "well" });
  save("src/http/server.ts", 'status: "well"', 'status: = "well"');
  await loop.says(/server\.ts:\d+[\s\S]*waiting for the next save/);
  save("src/http/server.ts", 'status: = "well"', 'status: "ok"');
  await loop.says(/serves http/);
  expect(await loop.health()).toEqual({ status: "ok" });
  expect(await loop.end("SIGINT")).toBe(0);
  await loop.gone();
});

test("a save in web/ builds the console again and tells open pages", async () => {
  loop = await DevLoop.start();
  const before = await loop.page();
  const [script = "", build = ""] =
    /\/console\/assets\/reload-(\w+)\.js/.exec(before)?.slice() ?? [];
  expect(await (await fetch(loop.url + script)).text()).toContain(`data !== "${build}"`);
  const changes = await fetch(`${loop.url}/dev/console-changes`);
  const events = changes.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await events?.read())?.value).toContain(`data: ${build}\n\n`);

  save("web/main.tsx", "import ", "import = ");
  await loop.says(/was not built[\s\S]*main\.tsx[\s\S]*waiting for the next save/);
  expect(await loop.page()).toBe(before);
  save("web/main.tsx", "import = ", 'document.title = "edited";\nimport ');
  const told = (await events?.read())?.value ?? "";
  const after = await loop.page();
  expect(told).toBe(`data: ${/reload-(\w+)\.js/.exec(after)?.[1]}\n\n`);
  expect(told).not.toContain(build);
  const main = /type="module" src="(\/console\/assets\/main-\w+\.js)"/.exec(after)?.[1] ?? "";
  expect(before).not.toContain(main);
  expect(await (await fetch(loop.url + main)).text()).toContain("edited");
  await loop.end("SIGKILL");
  await loop.gone();
});
