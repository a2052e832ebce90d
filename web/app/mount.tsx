import { CSPProvider } from "@base-ui/react/csp-provider";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import {
  detectLanguage,
  type LaterWords,
  loadCatalogue,
  SpeechProvider,
  withWords,
} from "../i18n/language.tsx";
import { createQueryClient } from "../lib/queries.ts";
import { meQuery } from "../lib/session.tsx";
import { ThemeProvider } from "../lib/theme.tsx";
import { ToastProvider } from "../ui/toasts/toast.tsx";

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
  const place = document.getElementById("console");
  if (!place) throw new Error("the document has no place for its page");
  const language = detectLanguage();
  const queries = createQueryClient();
  const [catalogue, notMet] = await Promise.all([
    withWords(words, loadCatalogue(language)),
    meetVisitor(queries),
  ]);
  const drawn = content(notMet);
  if (drawn === undefined) return;
  createRoot(place).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <SpeechProvider initial={{ language, catalogue }}>
          <ThemeProvider>
            <QueryClientProvider client={queries}>
              <ToastProvider>{drawn}</ToastProvider>
            </QueryClientProvider>
          </ThemeProvider>
        </SpeechProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
