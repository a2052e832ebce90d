// Bodies that are made to be slow for whoever reads them: each list, text and object of a request, as
// large as asked for, in the ways that make readers compare all with all or go back again and again.
export type Json = { [name: string]: unknown };

export interface HostileBody {
  readonly name: string;
  /** A body of about so many bytes. */
  make(bytes: number): string;
}

/** As many elements as fit, each different. */
export function many<T>(bytes: number, element: (i: number) => T): T[] {
  const size = JSON.stringify(element(10_000)).length + 1;
  return Array.from({ length: Math.max(1, Math.floor(bytes / size)) }, (_, i) => element(i));
}

/** As many members as fit, each by a name of its own. */
export function members(bytes: number, value: unknown = 0): Json {
  return Object.fromEntries(many(bytes - 1, (i) => [`n${i}`, value]) as [string, unknown][]);
}

export function nested(depth: number, inside: (value: unknown) => unknown): unknown {
  let value: unknown = {};
  for (let i = 0; i < depth; i++) value = inside(value);
  return value;
}

/** Texts on which patterns stumble: long runs of what they may take in several ways. */
const TEXTS: Readonly<Record<string, string>> = {
  letters: "a",
  spaces: " ",
  lines: "\n",
  quotes: '"',
  slashes: "\\",
  braces: "{",
  brackets: "[",
  ats: "a@",
  stars: "*a",
  dashes: "-",
  han: "漢",
  emoji: "👩‍👩‍👧",
  marks: "e\u0301",
  halves: "\ud800",
  zeros: "0",
  json: '{"a":[',
  data: "data:image/png;base64,AAAA",
  tags: "<a ",
  fences: "```",
  urls: "http://a.",
};

/** How many bytes a text has between its quotes. */
function writtenBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

export function texts(say: (text: string) => Json): HostileBody[] {
  return Object.entries(TEXTS).map(([name, unit]) => ({
    name: `text of ${name}`,
    make: (bytes) => JSON.stringify(say(unit.repeat(Math.ceil(bytes / writtenBytes(unit))))),
  }));
}

type Lists = Readonly<Record<string, (bytes: number) => Json>>;

export function lists(all: Lists): HostileBody[] {
  return Object.entries(all).map(([name, body]) => ({
    name,
    make: (bytes) => JSON.stringify(body(bytes)),
  }));
}

export const schema = (name: string) => ({
  name,
  description: "d",
  parameters: { type: "object", properties: {} },
});

const DEEP = 250;
export const deepSchema = nested(DEEP, (value) => ({ type: "object", properties: { a: value } }));
export const deepList = nested(DEEP, (value) => [value]);

export const user = (content: unknown) => ({ role: "user", content });
