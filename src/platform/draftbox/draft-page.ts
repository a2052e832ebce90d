import { addressSignature } from "../article-address.ts";
import type { StoredArticle } from "./draft.ts";
import type { DraftBox } from "./draft-box.ts";

const PAGE_CSS =
  "body{max-width:677px;margin:0 auto;padding:20px 16px;font:17px/1.6 system-ui,sans-serif;" +
  "overflow-wrap:break-word}h1{font-size:22px;line-height:1.4;margin:0 0 14px}" +
  ".meta{color:#8c8c8c;font-size:15px;margin:0 0 22px}img{max-width:100%;height:auto}";

/** Nothing runs and nothing is sent, whatever the article holds. */
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "sandbox; default-src 'none'; img-src http: https:; style-src 'unsafe-inline'; " +
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** An article as its readers see it. */
export function articlePage(article: StoredArticle): Response {
  const isPlain = article.article_type === "newspic" && !/<[a-z!/]/i.test(article.content);
  const text = isPlain ? escaped(article.content).replaceAll("\n", "<br>") : article.content;
  const title = escaped(article.title);
  const page = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${PAGE_CSS}</style></head>
<body><h1>${title}</h1><p class="meta">${escaped(article.author)}</p>
${text.replaceAll(' data-src="', ' src="')}</body></html>`;
  return new Response(page, { headers: PAGE_HEADERS });
}

/** One article of a draft behind the address that `draft/get` gave; undefined for any other. */
export async function draftPage(
  box: DraftBox,
  query: URLSearchParams,
): Promise<Response | undefined> {
  const appid = Buffer.from(query.get("__biz") ?? "", "base64url").toString();
  const mediaId = query.get("mid") ?? "";
  const index = Number(query.get("idx") ?? 1) - 1;
  if (!/^[\w-]{1,64}$/.test(appid)) return undefined;
  if (query.get("sn") !== addressSignature(appid, mediaId, index)) return undefined;
  const draft = await box.find(appid, mediaId);
  const article = draft?.articles[index]?.stored;
  return article && articlePage(article);
}
