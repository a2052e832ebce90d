import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from "react";
import { readSetting, writeSetting } from "./settings.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

interface ThemeChoice {
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
}

const ThemeContext = createContext<ThemeChoice>({ theme: "system", setTheme: () => undefined });

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function readTheme(): Theme {
  const stored = readSetting("theme");
  return THEMES.find((theme) => theme === stored) ?? "system";
}

export function useTheme(): ThemeChoice {
  return use(ThemeContext);
}

export function ThemeProvider({ children }: { readonly children: ReactNode }) {
  const [theme, choose] = useState(readTheme);
  const setTheme = useCallback((next: Theme) => {
    writeSetting("theme", next === "system" ? undefined : next);
    choose(next);
  }, []);
  useEffect(() => {
    const apply = () => {
      const dark = theme === "dark" || (theme === "system" && darkSystem.matches);
      document.documentElement.dataset.theme = dark ? "dark" : "light";
    };
    apply();
    darkSystem.addEventListener("change", apply);
    return () => darkSystem.removeEventListener("change", apply);
  }, [theme]);
  const value = useMemo(() => ({ theme, setTheme }), [theme, setTheme]);
  return <ThemeContext value={value}>{children}</ThemeContext>;
}
