import "./console.css";
import { RouterProvider } from "@tanstack/react-router";
import { draw } from "./app/draw.tsx";
import { createConsoleRouter } from "./app/router.tsx";
import { detectLanguage, loadCatalogue } from "./i18n/language.tsx";
import { createQueryClient } from "./lib/queries.ts";

async function start(): Promise<void> {
  const language = detectLanguage();
  const catalogue = await loadCatalogue(language);
  const queries = createQueryClient();
  const router = createConsoleRouter(queries);
  draw(<RouterProvider router={router} />, { language, catalogue }, queries);
}

void start();
