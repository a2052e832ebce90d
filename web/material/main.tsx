import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Preferences } from "../app/preferences.tsx";
import { detectLanguage, loadCatalogue, SpeechProvider, withWords } from "../i18n/language.tsx";
import { createQueryClient } from "../lib/queries.ts";
import { meQuery, SessionProvider } from "../lib/session.tsx";
import { ThemeProvider } from "../lib/theme.tsx";
import { HelpContext } from "../ui/help-context.ts";
import { ToastProvider } from "../ui/toasts/toast.tsx";
import { MaterialPage } from "./material-page.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { isSignedOut, signInAgain } from "./sign-in-again.ts";

async function start(): Promise<void> {
  const place = document.getElementById("console");
  if (!place) throw new Error("the page has no place for the material");
  const language = detectLanguage();
  const queries = createQueryClient();
  const [catalogue, error] = await Promise.all([
    withWords("material", loadCatalogue(language)),
    queries.fetchQuery(meQuery).then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  ]);
  if (isSignedOut(error)) return signInAgain();
  createRoot(place).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <SpeechProvider initial={{ language, catalogue }}>
          <ThemeProvider>
            <QueryClientProvider client={queries}>
              <ToastProvider>
                {error === undefined ? (
                  <SessionProvider>
                    <Preferences />
                    <HelpContext value="/docs/platform#material-page">
                      <MaterialPage />
                    </HelpContext>
                  </SessionProvider>
                ) : (
                  <NotLoaded error={error} />
                )}
              </ToastProvider>
            </QueryClientProvider>
          </ThemeProvider>
        </SpeechProvider>
      </CSPProvider>
    </StrictMode>,
  );
}

void start();
