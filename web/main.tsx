import "./console.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createConsoleRouter } from "./app/router.tsx";
import { detectLanguage, loadCatalogue, SpeechProvider } from "./i18n/language.tsx";
import { createQueryClient } from "./lib/queries.ts";
import { ThemeProvider } from "./lib/theme.tsx";
import { ToastProvider } from "./ui/toasts/toast.tsx";

async function start(): Promise<void> {
  const place = document.getElementById("console");
  if (!place) throw new Error("the page has no place for the console");
  const language = detectLanguage();
  const catalogue = await loadCatalogue(language);
  const queries = createQueryClient();
  const router = createConsoleRouter(queries);
  createRoot(place).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <SpeechProvider initial={{ language, catalogue }}>
          <ThemeProvider>
            <QueryClientProvider client={queries}>
              <ToastProvider>
                <RouterProvider router={router} />
              </ToastProvider>
            </QueryClientProvider>
          </ThemeProvider>
        </SpeechProvider>
      </CSPProvider>
    </StrictMode>,
  );
}

void start();
