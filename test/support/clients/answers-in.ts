/** One answer as it stands in what a connection brought. */
export interface SeenAnswer {
  readonly status: number;
  /** Names in lower case; those that are there twice are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const BLANK_LINE = "\r\n\r\n";
/** Answers before the one that counts: the client may send its body, or is connected now. */
const INTERIM = 200;
/** What is another in each answer. */
const EACH_ANOTHER = ["date", "x-request-id", "request-id"];
/** How a body is framed is each server's own affair. */
const FRAMING = ["content-length", "transfer-encoding"];

function headersIn(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** A body in chunks that stands there, and where it ends; undefined while it is not all there. */
function chunked(text: string, from: number): { body: string; end: number } | undefined {
  let body = "";
  for (let at = from; ; ) {
    const line = text.indexOf("\r\n", at);
    if (line < 0) return undefined;
    const size = Number.parseInt(text.slice(at, line), 16);
    if (Number.isNaN(size)) throw new Error(`not a chunk: ${text.slice(at, at + 80)}`);
    const end = line + 2 + size;
    if (text.length < end + 2) return undefined;
    if (text.slice(end, end + 2) !== "\r\n") throw new Error("a chunk longer than its size");
    if (size === 0) return { body, end: end + 2 };
    body += text.slice(line + 2, end);
    at = end + 2;
  }
}

function sized(text: string, from: number, bytes: number): ReturnType<typeof chunked> {
  const end = from + bytes;
  return text.length < end ? undefined : { body: text.slice(from, end), end };
}

/**
 * The answers in what a connection brought, one character per byte, and what stands behind them: the beginning of another, as
 * it is. `headsOnly`: so many at the beginning have no body, whatever they say. Throws where it is no HTTP.
 */
export function answersIn(
  text: string,
  headsOnly = 0,
): { answers: readonly SeenAnswer[]; rest: string } {
  const answers: SeenAnswer[] = [];
  let at = 0;
  for (;;) {
    const headEnd = text.indexOf(BLANK_LINE, at);
    if (headEnd < 0) break;
    const [line = "", ...lines] = text.slice(at, headEnd).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) throw new Error(`not an answer: ${line.slice(0, 80)}`);
    const headers = headersIn(lines);
    const bodyAt = headEnd + BLANK_LINE.length;
    const isHead = answers.length < headsOnly;
    const isBare = isHead || status < INTERIM || status === 204 || status === 304;
    const isChunked = !isHead && headers["transfer-encoding"] === "chunked";
    const bytes = isBare ? 0 : Number(headers["content-length"] ?? 0);
    const whole = isChunked ? chunked(text, bodyAt) : sized(text, bodyAt, bytes);
    if (!whole) break;
    answers.push({ status, headers, body: whole.body });
    at = whole.end;
  }
  return { answers, rest: text.slice(at) };
}

/** The same but for what no two answers have in common. */
export function comparable({ status, headers, body }: SeenAnswer): SeenAnswer {
  const told = Object.entries(headers)
    .filter(([name]) => !FRAMING.includes(name))
    .map(([name, value]) => [name, EACH_ANOTHER.includes(name) ? shapeOf(value) : value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return { status, headers: Object.fromEntries(told), body: body.replaceAll(/req_\w+/g, "req_") };
}

/** How often it was said is not hidden with what it says. */
function shapeOf(value: string): string {
  return value.startsWith("req_") ? value.replaceAll(/req_\w+/g, "req_") : "said";
}
