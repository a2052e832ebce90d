import { join } from "node:path";
import {
  ConsoleFiles,
  type ConsoleSource,
  type ConsoleTree,
  runBuild,
} from "../src/http/files/console-files.ts";
import type { Incoming, Route } from "../src/lib/route.ts";

const webDir = join(import.meta.dir, "..", "web");
/** A folder of its own: what `npm start` serves from web/dist is never a build for developers. */
const distDir = join(import.meta.dir, "dist");

const CHANGES_PATH = "/dev/console-changes";
/** A server that restarts is back within a second. */
const RECONNECT_MS = 500;

const encoder = new TextEncoder();

/** One value for all of a build. */
function identityOf(tree: ConsoleTree): string {
  const tags = [...tree].map(([name, { tag }]) => `${name} ${tag}`);
  return Bun.hash(tags.join("\n")).toString(36);
}

/** Knows which build its page is of, so that it also notices what it slept through. */
function reloadScript(build: string): string {
  return `new EventSource("${CHANGES_PATH}").onmessage = ({ data }) => {
  if (data !== "${build}") location.reload();
};
`;
}

/** The same pages, each with a script that reloads it. A file of ours: no inline script may run. */
function withReload(tree: ConsoleTree, build: string): ConsoleTree {
  const name = `assets/reload-${build}.js`;
  const tag = `<script type="module" src="/console/${name}"></script>`;
  const changed = new Map(tree);
  for (const [path, file] of tree) {
    if (!path.endsWith(".html")) continue;
    const html = new TextDecoder().decode(file.plain).replace("</head>", `${tag}</head>`);
    const plain = encoder.encode(html);
    changed.set(path, { ...file, plain, packed: {}, tag: `"${build}"` });
  }
  const plain = encoder.encode(reloadScript(build));
  const type = "text/javascript; charset=utf-8";
  return changed.set(name, { type, plain, packed: {}, hashed: true, tag: `"${build}"` });
}

/** The console of whoever works on it: it is built again when asked, and open pages follow. */
export class LiveConsole implements ConsoleSource {
  readonly routes: readonly Route[];
  readonly #pages = new Set<ReadableStreamDefaultController<Uint8Array>>();
  #built: Promise<{ readonly tree: ConsoleTree; readonly build: string }>;
  #closed = false;

  constructor() {
    this.#built = this.#load();
    // Whoever asks for a page is told; until then a failure is nobody's.
    this.#built.catch(() => undefined);
    this.routes = [{ method: "GET", path: CHANGES_PATH, handle: (asked) => this.#follow(asked) }];
  }

  async tree(): Promise<ConsoleTree> {
    return (await this.#built).tree;
  }

  /** Whether anything is new. What cannot be built leaves the pages as they were. */
  async rebuild(): Promise<boolean> {
    const before = await this.#built.catch(() => undefined);
    const fresh = this.#load();
    const { build } = await fresh;
    this.#built = fresh;
    if (build === before?.build) return false;
    for (const page of this.#pages) this.#tell(page, build);
    return true;
  }

  /** Lets go of the pages, which come back by themselves: a server that stops waits for nobody. */
  close(): void {
    this.#closed = true;
    for (const page of this.#pages) page.close();
    this.#pages.clear();
  }

  async #load() {
    const flags = ["--plain", "--into", distDir];
    const files = new ConsoleFiles(webDir, () => runBuild(webDir, flags), distDir);
    const tree = await files.tree();
    const build = identityOf(tree);
    return { tree: withReload(tree, build), build };
  }

  async #follow(incoming: Incoming): Promise<Response> {
    incoming.keepOpen();
    const { build } = await this.#built;
    let page: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        page = controller;
        controller.enqueue(encoder.encode(`retry: ${RECONNECT_MS}\n`));
        this.#tell(controller, build);
        if (this.#closed) controller.close();
        else this.#pages.add(controller);
      },
      cancel: () => {
        if (page) this.#pages.delete(page);
      },
    });
    return new Response(body, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  }

  #tell(page: ReadableStreamDefaultController<Uint8Array>, build: string): void {
    page.enqueue(encoder.encode(`data: ${build}\n\n`));
  }
}
