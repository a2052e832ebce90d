// Answers of HTTP/1.1, right and wrong, and what becomes of each by either transport.

export type Ending = "stays" | "ends" | "resets";

/** What whoever asked has in the end: a body, or nothing that could be taken for one. */
export type Outcome = { readonly status: number; readonly text: string } | "failed";

export interface AnswerCase {
  readonly name: string;
  readonly bytes: string;
  /** What the vendor does behind the last byte. */
  readonly ending: Ending;
  readonly own: Outcome;
  /** What `fetch` makes of it, where that is something else; undefined where it would wait for ever. */
  readonly fetched?: Outcome | "waits";
  /** Whether the connection may serve another call. */
  readonly isKept?: boolean;
}

const OK = { status: 200, text: "ok" } as const;
const HEAD = "HTTP/1.1 200 OK\r\n";
const SIZED = `${HEAD}content-length: 2\r\n\r\nok`;
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;

function right(name: string, bytes: string, more: Partial<AnswerCase> = {}): AnswerCase {
  return { name, bytes, ending: "stays", own: OK, isKept: true, ...more };
}

function wrong(name: string, bytes: string, more: Partial<AnswerCase> = {}): AnswerCase {
  return { name, bytes, ending: "ends", own: "failed", ...more };
}

/** Lenient where we are not: it takes the same for an answer. */
const TAKEN = { fetched: OK } as const;

export const RIGHT_ANSWERS: readonly AnswerCase[] = [
  right("a sized body", SIZED),
  right("no reason in the status line", "HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok"),
  right("an empty reason", "HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nok"),
  right("names in capitals and values in blanks", `${HEAD}CONTENT-LENGTH: \t2 \t\r\n\r\nok`),
  right("a value with a colon and high bytes", `${HEAD}x: a:b\xe9\r\ncontent-length: 2\r\n\r\nok`),
  right("an empty value", `${HEAD}x:\r\ncontent-length:2\r\n\r\nok`),
  right("one length twice", `${HEAD}content-length: 2\r\ncontent-length: 2\r\n\r\nok`),
  right("chunks", `${CHUNKED}1\r\no\r\n1\r\nk\r\n0\r\n\r\n`),
  right("a size with zeros in front", `${CHUNKED}0002\r\nok\r\n000\r\n\r\n`),
  right("a size in capitals", `${CHUNKED}A\r\nokokokokok\r\n0\r\n\r\n`, {
    own: { status: 200, text: "okokokokok" },
  }),
  right("extensions of chunks", `${CHUNKED}2;a=b;c="d"\r\nok\r\n0;e\r\n\r\n`),
  right("trailers", `${CHUNKED}2\r\nok\r\n0\r\nx: y\r\ndigest: z\r\n\r\n`),
  right("Chunked in capitals", `${HEAD}Transfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
  right(
    "100 and 103 in front",
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 E\r\nlink: x\r\n\r\n${SIZED}`,
  ),
  right("an empty body", `${HEAD}content-length: 0\r\n\r\n`, { own: { status: 200, text: "" } }),
  right("204", "HTTP/1.1 204 No Content\r\n\r\n", { own: { status: 204, text: "" } }),
  right("304 with a length", "HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n", {
    own: { status: 304, text: "" },
  }),
  right("a refusal", "HTTP/1.1 429 Slow\r\ncontent-length: 2\r\n\r\nno", {
    own: { status: 429, text: "no" },
  }),
  right("HTTP/1.2, which may not mean more", "HTTP/1.2 200 OK\r\ncontent-length: 2\r\n\r\nok"),
  right("connection: close", `${HEAD}connection: close\r\ncontent-length: 2\r\n\r\nok`, {
    isKept: false,
  }),
  right("close among others", `${HEAD}Connection: x, Close\r\ncontent-length: 2\r\n\r\nok`, {
    isKept: false,
  }),
  right("HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok", { isKept: false }),
  right("a body until the end", `${HEAD}\r\nok`, { ending: "ends", isKept: false }),
  right(
    "chunks with a length beside them",
    `${HEAD}content-length: 9\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    {
      isKept: false,
    },
  ),
  right("more than it says", `${SIZED}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`, {
    isKept: false,
  }),
  right("more than its chunks", `${CHUNKED}2\r\nok\r\n0\r\n\r\nevil`, { isKept: false }),
  right("a body of 204", "HTTP/1.1 204 No\r\ncontent-length: 4\r\n\r\nevil", {
    own: { status: 204, text: "" },
    isKept: false,
  }),
];

export const WRONG_ANSWERS: readonly AnswerCase[] = [
  wrong("nothing", ""),
  wrong("nothing, and a reset", "", { ending: "resets" }),
  wrong("half a status line", "HTTP/1.1 2"),
  wrong("half a head", `${HEAD}content-le`),
  wrong("a reset within the head", `${HEAD}content-le`, { ending: "resets" }),
  wrong("half a body", `${HEAD}content-length: 9\r\n\r\nok`),
  wrong("a reset within the body", `${HEAD}content-length: 9\r\n\r\nok`, { ending: "resets" }),
  wrong("a reset instead of the end", `${HEAD}\r\nok`, { ending: "resets", ...TAKEN }),
  wrong("half a chunk", `${CHUNKED}9\r\nok`),
  wrong("a reset within a chunk", `${CHUNKED}9\r\nok`, { ending: "resets" }),
  wrong("no last chunk", `${CHUNKED}2\r\nok\r\n`),
  wrong("half an end", `${CHUNKED}2\r\nok\r\n0\r\n`, TAKEN),
  wrong("another protocol", "SSH-2.0-OpenSSH_9.9\r\n"),
  wrong("another protocol that stays", "220 smtp.example.com ESMTP\r\n", {
    ending: "stays",
    fetched: "waits",
  }),
  wrong("HTTP/2", "HTTP/2 200\r\ncontent-length: 2\r\n\r\nok"),
  wrong("a status of two digits", "HTTP/1.1 20 OK\r\ncontent-length: 2\r\n\r\nok"),
  wrong("a status of letters", "HTTP/1.1 2oo OK\r\ncontent-length: 2\r\n\r\nok"),
  wrong("101", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n"),
  wrong("lines that end with LF alone", "HTTP/1.1 200 OK\ncontent-length: 2\n\nok", TAKEN),
  wrong("a CR within a line", `${HEAD}x: a\rb\r\ncontent-length: 2\r\n\r\nok`),
  wrong("a NUL in a value", `${HEAD}x: a\0b\r\ncontent-length: 2\r\n\r\nok`),
  wrong("a blank in front of the first field", `${HEAD} x: a\r\ncontent-length: 2\r\n\r\nok`),
  wrong("a body behind 100", `HTTP/1.1 100 Continue\r\ncontent-length: 2\r\n\r\nok${SIZED}`),
  wrong("a line break in front", `\r\n${SIZED}`),
  wrong("a folded line", `${HEAD}x: a\r\n b\r\ncontent-length: 2\r\n\r\nok`),
  wrong("a blank behind a name", `${HEAD}content-length : 2\r\n\r\nok`),
  wrong("a line without a colon", `${HEAD}content-length\r\n\r\nok`),
  wrong("an empty name", `${HEAD}: 2\r\n\r\nok`),
  wrong("two lengths", `${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`),
  wrong("two lengths in one line", `${HEAD}content-length: 2, 3\r\n\r\nok!`),
  wrong("a negative length", `${HEAD}content-length: -2\r\n\r\nok`),
  wrong("a length with a sign", `${HEAD}content-length: +2\r\n\r\nok`),
  wrong("a length that is none", `${HEAD}content-length: 0x2\r\n\r\nok`),
  wrong("a length of digits and lines under them", `${HEAD}content-length: 1_0\r\n\r\nokokokokok`),
  wrong("an empty length", `${HEAD}content-length:\r\n\r\nok`),
  wrong("a length behind what looks like a blank", `${HEAD}content-length: \xa02\r\n\r\nok`),
  wrong("a length in front of a form feed", `${HEAD}content-length: 2, 2\x0c\r\n\r\nok`),
  wrong("a length beyond all counting", `${HEAD}content-length: 99999999999999999999\r\n\r\nok`),
  wrong(
    "an unknown transfer coding",
    `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    TAKEN,
  ),
  wrong(
    "an empty transfer coding",
    `${HEAD}transfer-encoding:\r\ncontent-length: 2\r\n\r\nok`,
    TAKEN,
  ),
  wrong(
    "a transfer coding behind a vertical tab",
    `${HEAD}transfer-encoding: \x0bchunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  ),
  wrong("chunked twice", `${HEAD}transfer-encoding: chunked, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
  wrong("a size that is none", `${CHUNKED}zz\r\nok\r\n0\r\n\r\n`),
  wrong("an empty size", `${CHUNKED}\r\nok\r\n0\r\n\r\n`),
  wrong("a negative size", `${CHUNKED}-2\r\nok\r\n0\r\n\r\n`),
  wrong("a size beyond all counting", `${CHUNKED}fffffffffffffff\r\nok\r\n0\r\n\r\n`),
  wrong("a size with a line under it", `${CHUNKED}1_0\r\nok\r\n0\r\n\r\n`),
  wrong("a size as programs write it", `${CHUNKED}0x2\r\nok\r\n0\r\n\r\n`),
  wrong("a size behind a blank", `${CHUNKED} 2\r\nok\r\n0\r\n\r\n`),
  wrong("an extension that ends with LF alone", `${CHUNKED}2;a\nok\r\n0\r\n\r\n`),
  wrong("a CR within an extension", `${CHUNKED}2;a\rb\r\nok\r\n0\r\n\r\n`),
  wrong("a chunk that is longer than it says", `${CHUNKED}2\r\nok!\r\n0\r\n\r\n`),
  wrong("sizes that end with LF alone", `${CHUNKED}2\nok\r\n0\r\n\r\n`),
];
