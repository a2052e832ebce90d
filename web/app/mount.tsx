import type { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { detectLanguage, type LaterWords, loadCatalogue, withWords } from "../i18n/language.tsx";
import { createQueryClient } from "../lib/queries.ts";
import { meQuery } from "../lib/session.tsx";
import { draw } from "./draw.tsx";

/** What was thrown where it could not be learnt who the visitor is. */
async function meetVisitor(queries: QueryClient): Promise<unknown> {
  return queries.fetchQuery(meQuery).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

/** Draws a document that stands by itself beside the console, with its looks and words. */
export async function mount(
  words: LaterWords,
  content: (notMet: unknown) => ReactNode | undefined,
): Promise<void> {
  const language = detectLanguage();
  const queries = createQueryClient();
  const [catalogue, notMet] = await Promise.all([
    withWords(words, loadCatalogue(language)),
    meetVisitor(queries),
  ]);
  const drawn = content(notMet);
  if (drawn !== undefined) draw(drawn, { language, catalogue }, queries);
}
