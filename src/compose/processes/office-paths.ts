/**
 * Below which paths the office answers; all others are the gate's. A test holds this against the routes of
 * both. The metrics are the gate's own where everybody may read them.
 */
export const OFFICE_PATHS = [
  "/",
  "/console",
  "/console/*",
  "/docs",
  "/docs/*",
  "/openapi.json",
  "/api/*",
  "/platform/*",
  "/mcp",
  "/v1/drafts",
  "/v1/drafts/*",
  "/v1/drafts:preview",
  "/v1/drafts:shorten",
  "/v1/drafts:write",
  "/v1/wechat/*",
] as const;

/** Where a gate asks whether its office may end. No client reaches it. */
export const BUSY_PATH = "/inner/busy";

export const METRICS_PATH = "/metrics";
