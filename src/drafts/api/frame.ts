import type { Preview } from "../article/preview.ts";

/**
 * The article is somebody's HTML. It is shown where nothing runs and nothing is reached but pictures,
 * which stand at whatever address their author has given.
 */
const POLICY =
  "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

const STYLE = `
html{background:#fff;color:#16181d;-webkit-text-size-adjust:100%}
body{position:relative;margin:0 auto;max-width:677px;padding:20px 16px 48px;box-sizing:border-box;
font:17px/1.6 -apple-system,system-ui,"PingFang SC","Microsoft YaHei",sans-serif;overflow-wrap:break-word}
h1{font-size:22px;line-height:1.4;margin:0 0 14px;font-weight:600}
.by{margin:0 0 22px;font-size:15px;color:#8a8f98}.by b{font-weight:400;color:#576b95}
img{max-width:100%;height:auto}
.pictures img{display:block;width:100%;margin:0 0 12px;border-radius:6px}
.plain{white-space:pre-wrap}
.at{position:absolute;left:0;width:0;height:0}
`.replaceAll("\n", "");

const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "x-frame-options": "SAMEORIGIN",
  "cache-control": "no-store",
};

function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? `&#${mark.charCodeAt(0)};`);
}

/** One target for each percent of the page, so that an editor can scroll what it cannot reach into. */
function targets(): string {
  const steps = Array.from({ length: 101 }, (_, at) => at);
  return steps.map((at) => `<i class="at" id="at-${at}" style="top:${at}%"></i>`).join("");
}

/** The page of one article as a reader's phone has it, `html` being filtered as by the platform. */
export function framePage(
  article: Pick<Preview["articles"][number], "title" | "author" | "html">,
  pictures: readonly string[] | undefined,
): Response {
  const { title, author, html } = article;
  const body = pictures
    ? `<div class="pictures">${pictures.map((src) => `<img src="${escaped(src)}" alt="">`).join("")}</div>` +
      `<div class="plain">${escaped(html)}</div>`
    : html;
  const by = author === "" ? "" : `<p class="by"><b>${escaped(author)}</b></p>`;
  const page =
    `<!doctype html><html><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<title>${escaped(title)}</title><style>${STYLE}</style></head><body>${targets()}` +
    `<h1>${escaped(title)}</h1>${by}${body}</body></html>`;
  return new Response(page, { headers: HEADERS });
}
