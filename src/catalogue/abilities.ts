// What a model may be asked for and can do, as the catalogue and its contract name it.

export const ENDPOINTS = ["responses", "chat", "embeddings"] as const;

export const CAPABILITIES = [
  "tools",
  "vision",
  "reasoning",
  "json_schema",
  "web_search",
  "stream",
  "files",
] as const;

export const MODALITIES = ["text", "image", "file", "audio", "video"] as const;
