const CLOSING: Readonly<Record<string, string>> = { "(": ")", '"': '"', "'": "'" };

/**
 * The declarations of a style attribute. A semicolon in brackets or quotes does not end one, as in
 * `url(data:image/png;base64,…)`. What is opened and never closed runs to the end, as in a browser.
 */
export function splitStyle(style: string): string[] {
  const declarations: string[] = [];
  let start = 0;
  let closing = "";
  for (let i = 0; i < style.length; i++) {
    const char = style.charAt(i);
    if (closing !== "") {
      if (char === closing) closing = "";
    } else if (char === ";") {
      declarations.push(style.slice(start, i));
      start = i + 1;
    } else {
      closing = CLOSING[char] ?? "";
    }
  }
  declarations.push(style.slice(start));
  return declarations;
}
