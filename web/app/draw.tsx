import { CSPProvider } from "@base-ui/react/csp-provider";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { SpeechProvider, type Spoken } from "../i18n/language.tsx";
import { ThemeProvider } from "../lib/theme.tsx";
import { ToastProvider } from "../ui/toasts/toast.tsx";

/** Draws a document with what every page needs around it. */
export function draw(content: ReactNode, speech: Spoken, queries: QueryClient): void {
  const place = document.getElementById("console");
  if (!place) throw new Error("the document has no place for its page");
  createRoot(place).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <SpeechProvider initial={speech}>
          <ThemeProvider>
            <QueryClientProvider client={queries}>
              <ToastProvider>{content}</ToastProvider>
            </QueryClientProvider>
          </ThemeProvider>
        </SpeechProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
