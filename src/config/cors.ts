import type { Environment } from "./environment.ts";
import { ConfigError } from "./members.ts";

/** Whose pages may call the models from a browser and read the answers. */
export interface CorsSettings {
  readonly any: boolean;
  /** Pages that are named count as ours also where no others are let in. */
  readonly origins: readonly string[];
}

const NAME = "FAREGATE_CORS";
/** Also what applications call themselves that are no sites: `app://…`, `chrome-extension://…`. */
const ORIGIN = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/[^\s/?#@*\\]+$/;

/** An origin as browsers write it, in small letters and without the port that goes by itself. */
function readOrigin(text: string): string {
  const { scheme } = ORIGIN.exec(text.toLowerCase())?.groups ?? {};
  if (scheme === undefined || !URL.canParse(text)) {
    throw new ConfigError(
      `${NAME} has "${text}"; write *, off, or origins such as https://app.example.com, without a path.`,
    );
  }
  return /^https?$/.test(scheme) ? new URL(text).origin : text.toLowerCase();
}

export function readCors(env: Environment): CorsSettings {
  const words = (env[NAME] || "*").split(/[\s,]+/).filter(Boolean);
  const [first] = words;
  if (words.length === 1 && (first === "*" || first === "off")) {
    return { any: first === "*", origins: [] };
  }
  return { any: false, origins: [...new Set(words.map(readOrigin))] };
}
