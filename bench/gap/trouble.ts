// What one client does while others listen: articles that are slow to render, pages of an account with very many
// requests, the largest bodies that are taken, the longest conversation that is gone on from, and very long answers.
import type { Browser } from "../../test/support/browser.ts";

export interface Trouble {
  readonly name: string;
  /** Resolves when all of it was answered; says what that was. */
  make(): Promise<string>;
}

const MIB = 1024 * 1024;
const BODY_BYTES = 60 * MIB;
/** The longest article that is taken. */
const ARTICLE_CHARS = 16 * MIB;

const filled = (piece: string, chars: number) =>
  piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);

/** As long as may be, and shorter ones of what costs most by its length. */
const ARTICLES: readonly (() => string)[] = [
  () => filled("字 ab ", ARTICLE_CHARS),
  () => filled("==a ", MIB),
  () => filled("> [!NOTE]\n", 200_000),
  () => filled("- x\n  1. y\n", 200_000),
  () => filled("|a|b|\n|-|-|\n|1|2|\n\n", 400_000),
  () => filled("$x_1$ ", 40_000),
  () => filled("<section><p>", 400_000),
];

function post(port: number, path: string, key: string, body: string | Uint8Array) {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
}

/** How often each status was answered. */
function tallied(statuses: readonly number[]): string {
  return [...Map.groupBy(statuses, (status) => status)]
    .map(([status, each]) => `${each.length} × ${status}`)
    .join(", ");
}

export function articles(port: number, key: string): Trouble {
  return {
    name: "articles render",
    async make() {
      const statuses: number[] = [];
      for (const text of ARTICLES) {
        const body = JSON.stringify({ title: "Slow", markdown: text() });
        const response = await post(port, "/v1/drafts:preview", key, body);
        await response.arrayBuffer();
        statuses.push(response.status);
      }
      return tallied(statuses);
    },
  };
}

/** Those that read most, of the largest account. */
const PAGES = [
  "overview?tz=Asia/Shanghai",
  "usage?by=day",
  "usage?by=key",
  "requests",
  "requests?limit=200",
  "requests?status=error",
  "requests?model=nobody",
  "entries?limit=200",
  "keys",
];

export function pages(operator: Browser, account: string): Trouble {
  return {
    name: "pages load",
    async make() {
      const statuses: number[] = [];
      for (const page of PAGES) {
        const response = await operator.get(`/api/accounts/${account}/${page}`);
        await response.text();
        statuses.push(response.status);
      }
      return tallied(statuses);
    },
  };
}

const textPart = (text: string) => ({ type: "text", text });

/** Contents of one message as JSON, each of which makes a body as large as they may be. */
const CONTENTS: Readonly<Record<string, () => string>> = {
  picture() {
    const url = `data:image/png;base64,${filled("iVBORw0KGgoAAAANSUhEUg", BODY_BYTES)}`;
    return JSON.stringify([textPart("What is this?"), { type: "image_url", image_url: { url } }]);
  },
  words: () => JSON.stringify(filled("the quick brown fox jumps over the lazy dog ", BODY_BYTES)),
  // Each of these characters is two of a body.
  escapes: () => JSON.stringify(filled('"\n\t\\', BODY_BYTES / 2)),
  parts() {
    const part = textPart(filled("ab cd ", 4_000));
    return JSON.stringify(Array.from({ length: 15_000 }, () => part));
  },
  // No string is so long that its end is remembered, and of each every character has to be looked at.
  quotes() {
    const part = textPart(`"${filled("ab cd ", 4_000)}`);
    return JSON.stringify(Array.from({ length: 15_000 }, () => part));
  },
  space: () => `[${JSON.stringify(textPart("Hello."))}${filled(" \n", BODY_BYTES)}]`,
  "wide space": () => `[${JSON.stringify(textPart("狐"))}${filled(" \n", BODY_BYTES)}]`,
};

export const BODY_KINDS = Object.keys(CONTENTS);

/** Bodies as bytes, made before anything is measured. */
export function bodies(port: number, key: string, model: string, kind: string): Trouble {
  const content = CONTENTS[kind]?.();
  const body = new TextEncoder().encode(
    `{"model":"${model}","messages":[{"role":"user","content":${content}}],"max_tokens":64}`,
  );
  return {
    name: `${(body.length / MIB).toFixed(0)} MB of ${kind} arrive`,
    async make() {
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) {
        const response = await post(port, "/v1/chat/completions", key, body);
        await response.text();
        statuses.push(response.status);
      }
      return tallied(statuses);
    },
  };
}

/** What the vendor of long answers is asked for. */
export const ANSWER_KINDS = ["numbers", "words"];

export function answers(port: number, key: string, model: string, kind: string): Trouble {
  const messages = [{ role: "user", content: kind }];
  return {
    name: `answers of 60 MB of ${kind}`,
    async make() {
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) {
        const body = JSON.stringify({ model, messages, max_tokens: 64 });
        const response = await post(port, "/v1/chat/completions", key, body);
        await response.arrayBuffer();
        statuses.push(response.status);
      }
      return tallied(statuses);
    },
  };
}

const CONVERSATION_TURNS = 4;
/** What a turn may have that is kept, less its answer. */
const TURN_CHARS = 7 * MIB;

/** A conversation about as long as one may be, told before anything is measured; then a few bytes go on from it. */
export async function conversation(port: number, key: string, model: string): Promise<Trouble> {
  let last: string | null = null;
  const ask = (input: string) => {
    const body = { model, input, previous_response_id: last, max_output_tokens: 64 };
    return post(port, "/v1/responses", key, JSON.stringify(body));
  };
  for (let i = 0; i < CONVERSATION_TURNS; i++) {
    const response = await ask(filled("the quick brown fox jumps over the lazy dog ", TURN_CHARS));
    if (response.status !== 200) throw new Error(await response.text());
    const { id } = (await response.json()) as { id: string };
    last = id;
  }
  return {
    name: `${(CONVERSATION_TURNS * TURN_CHARS) / MIB} MB of conversation are gone on from`,
    async make() {
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) {
        const response = await ask("Go on.");
        await response.text();
        statuses.push(response.status);
      }
      return tallied(statuses);
    },
  };
}
