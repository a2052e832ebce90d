export type Language = "en" | "zh";

export function languageOf(text: string): Language {
  return text.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/** What is said, before it is known how it looks. */
interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one thing that the reader may want to do. */
  readonly action: { readonly label: string; readonly url: string };
  /** Why this came, in small print. */
  readonly footer: string;
}

/** A letter in the two forms that mail has. */
export interface WrittenLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly link: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** A subject is one line, whatever names are in it. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function htmlOf(letter: Letter, language: Language): string {
  const { paragraphs, action, footer } = letter;
  const lines = paragraphs.map((line) => `<p style="margin:0 0 16px">${escaped(line)}</p>`);
  const href = escaped(action.url);
  return `<!doctype html>
<html lang="${language === "zh" ? "zh-CN" : "en"}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(oneLine(letter.subject))}</title></head>
<body style="margin:0;padding:24px;font:16px/1.6 system-ui,sans-serif;color:#1a1a1a;background:#fff">
<div style="max-width:560px;margin:0 auto">
<h1 style="font-size:20px;line-height:1.4;margin:0 0 16px">${escaped(oneLine(letter.subject))}</h1>
${lines.join("\n")}
<p style="margin:0 0 8px"><a href="${href}" style="color:#0b57d0">${escaped(action.label)}</a></p>
<p style="margin:0 0 24px;font-size:13px;color:#595959;word-break:break-all">${href}</p>
<p style="margin:0;font-size:13px;color:#595959">${escaped(footer)}</p>
</div>
</body>
</html>
`;
}

/** Plain text and plain HTML: nothing is loaded from anywhere, and nobody learns that it was read. */
export function writeLetter(letter: Letter, language: Language): WrittenLetter {
  const { paragraphs, action, footer } = letter;
  const text = [...paragraphs, `${action.label}:\n${action.url}`, `-- \n${footer}`].join("\n\n");
  return {
    subject: oneLine(letter.subject),
    text: `${text}\n`,
    html: htmlOf(letter, language),
    link: action.url,
  };
}
