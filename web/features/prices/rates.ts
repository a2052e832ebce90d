export const TOKEN_RATES = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "cache_write_long",
] as const;
export const RATES = [...TOKEN_RATES, "web_search_per_thousand"] as const;

export const MODELS_PATH = "/api/operator/models";
export const SETTINGS_PATH = "/api/operator/settings";

export function modelPath(id: string): string {
  return `${MODELS_PATH}/${encodeURIComponent(id)}`;
}
