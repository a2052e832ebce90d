import { lastUserStep, type Prompt, resultsSinceUser } from "../reading/prompt.ts";
import { crop, wordsOf } from "./words.ts";

/** A text with the place in it that names its source. */
export interface Citation {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly url: string;
  readonly title: string;
}

export interface Search {
  readonly query: string;
  readonly url: string;
  cite(text: string): Citation;
}

const QUERY_CHARS_MAX = 120;
/** Agents always offer the search, so a question alone does not call for it. */
const CALLS_FOR_SEARCH = /\b(?:search|look up|latest|news|today|recent|browse)\b|搜索|最新|新闻/iu;

/** The web search that precedes the answer, or null. Nothing is fetched: the page is an example. */
export function planSearch(prompt: Prompt): Search | null {
  const { mode, names, search: named } = prompt.toolChoice;
  if (!prompt.webSearch || mode === "none" || (names !== null && !named)) return null;
  const message = lastUserStep(prompt.steps)?.text ?? "";
  const asked = CALLS_FOR_SEARCH.test(message.slice(0, 2_000));
  if (mode !== "required" && (!asked || resultsSinceUser(prompt.steps).length > 0)) return null;
  const query = crop(message, QUERY_CHARS_MAX) || "search";
  const slug = wordsOf(query).slice(0, 6).join("-") || "page";
  const url = `https://www.example.com/${encodeURIComponent(slug)}`;
  const title = `Example page about ${crop(query, 60)}`;
  return {
    query,
    url,
    cite(text) {
      const link = `([example.com](${url}))`;
      const start = text.length + 1;
      return { text: `${text} ${link}`, start, end: start + link.length, url, title };
    },
  };
}
