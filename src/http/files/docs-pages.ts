import { join } from "node:path";
import type { MarkedExtension, Tokens } from "marked";
import { Fault } from "../../lib/faults.ts";
import type { Incoming, Route } from "../../lib/route.ts";

const DOCS_DIR = join(import.meta.dir, "..", "..", "..", "docs");
const PREFIX = "/docs";
const PAGE_NAME = /^[a-z][a-z-]{0,40}$/;

const STYLE = `
:root { color-scheme: light dark; --line: #d9dce3; --muted: #5b6270; --sunken: #f1f2f6; --accent: #2a52cc; }
@media (prefers-color-scheme: dark) {
  :root { --line: #2c313c; --muted: #9aa2b1; --sunken: #1b1f27; --accent: #8ea8ff; }
  body { background: #101217; color: #e6e8ee; }
}
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; }
header, main { max-width: 52rem; margin: 0 auto; padding: 1rem 1.25rem; }
header { display: flex; gap: 1.25rem; border-bottom: 1px solid var(--line); }
a { color: var(--accent); }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .75rem; }
h1 { margin-top: 1rem; }
nav ul { padding-left: 1.25rem; color: var(--muted); }
pre, code { font-family: ui-monospace, monospace; font-size: .875em; background: var(--sunken); border-radius: 4px; }
code { padding: .1em .3em; }
pre { padding: .875rem 1rem; overflow-x: auto; }
pre code { padding: 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375em; }
th, td { border: 1px solid var(--line); padding: .4rem .625rem; text-align: left; vertical-align: top; }
`;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${new Bun.CryptoHasher("sha256").update(STYLE).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
} as const;

interface Doc {
  readonly title: string;
  readonly html: string;
}

/** The anchor of a heading, in the form that Git hosts use. */
function slugOf(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return plain.trim().replaceAll(" ", "-");
}

/** The address of a page beside this one. Other files of the project are not served and get no link. */
function addressOf(href: string): string | undefined {
  if (/^(?:https?:|#|\/)/.test(href)) return href;
  const [, name, place = ""] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name === undefined ? undefined : `${PREFIX}/${name}${place}`;
}

const MARKDOWN: MarkedExtension = {
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading) {
      const inner = this.parser.parseInline(tokens);
      return `<h${depth} id="${slugOf(text.replaceAll("`", ""))}">${inner}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      const address = addressOf(href);
      return address === undefined ? inner : `<a href="${Bun.escapeHTML(address)}">${inner}</a>`;
    },
    // A comment marks what `npm run docs` writes.
    html: ({ text }: Tokens.HTML | Tokens.Tag) =>
      text.startsWith("<!--") ? "" : Bun.escapeHTML(text),
  },
};

function documentOf(title: string, body: string): string {
  const name = Bun.escapeHTML(title);
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name} · Faregate</title>` +
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>` +
    `<header><a href="/console">Console</a><a href="${PREFIX}">All pages</a></header>` +
    `<main>${body}</main></body></html>`
  );
}

function contentsOf(text: string): string {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  const items = headings.map((heading) => {
    const words = heading.replaceAll("`", "");
    return `<li><a href="#${slugOf(words)}">${Bun.escapeHTML(words)}</a></li>`;
  });
  return items.length < 2 ? "" : `<nav aria-label="Contents"><ul>${items.join("")}</ul></nav>`;
}

async function readDoc(text: string, name: string): Promise<Doc> {
  // Loaded at the first page, because most servers never serve one.
  const { Marked } = await import("marked");
  const [line = "", title = name] = /^# (.+)$/m.exec(text) ?? [];
  const rest = new Marked(MARKDOWN).parse(text.replace(line, ""), { async: false });
  // Everything that scrolls must be reachable by keyboard.
  const body = rest
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
  const head = `<h1>${Bun.escapeHTML(title)}</h1>`;
  return { title, html: documentOf(title, head + contentsOf(text) + body) };
}

/** The pages of a folder, each rendered once. */
class Docs {
  readonly #dir: string;
  readonly #drawn = new Map<string, Doc>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Caches pages that exist only, because there is no end of names that do not. */
  async page(name: string): Promise<Doc | undefined> {
    const doc = this.#drawn.get(name) ?? (await this.#draw(name));
    if (doc) this.#drawn.set(name, doc);
    return doc;
  }

  /** The README of the folder, which lists the pages. */
  async index(): Promise<string> {
    const text = await Bun.file(join(this.#dir, "README.md")).text();
    const api = `\n- [Every call of the API, with forms](${PREFIX}/api)\n`;
    return (await readDoc(text + api, "Documentation")).html;
  }

  async #draw(name: string): Promise<Doc | undefined> {
    if (!PAGE_NAME.test(name)) return undefined;
    const file = Bun.file(join(this.#dir, `${name}.md`));
    return (await file.exists()) ? readDoc(await file.text(), name) : undefined;
  }
}

/** Serves the documents of this version, without a network. The console's help links lead here. */
export function docsPages(dir: string = DOCS_DIR): readonly Route[] {
  const docs = new Docs(dir);
  const show = async ({ params }: Incoming) => {
    const doc = await docs.page(params.page ?? "");
    if (!doc) throw new Fault("not_found", `There is no such page; ${PREFIX} lists them all.`);
    return new Response(doc.html, { headers: HEADERS });
  };
  const list = async () => new Response(await docs.index(), { headers: HEADERS });
  return [
    { method: "GET", path: PREFIX, hosts: "own", handle: list },
    { method: "GET", path: `${PREFIX}/:page`, hosts: "own", handle: show },
  ];
}
