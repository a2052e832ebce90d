/** Names that are the same in every language. `custom` has none and is put into words. */
const NAMES: Readonly<Record<string, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google Gemini",
  azure: "Azure OpenAI",
  deepseek: "DeepSeek",
  moonshot: "Moonshot AI",
  zhipu: "Zhipu AI",
  alibaba: "Alibaba Cloud",
  minimax: "MiniMax",
  xai: "xAI",
  mistral: "Mistral AI",
  groq: "Groq",
  together: "Together AI",
  fireworks: "Fireworks AI",
  openrouter: "OpenRouter",
  ollama: "Ollama",
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp",
  vllm: "vLLM",
};

export const VENDOR_IDS: readonly string[] = [...Object.keys(NAMES), "custom"];

/** They answer without a key, unless whoever runs them asks for one. */
export const KEYLESS: readonly string[] = ["ollama", "lmstudio", "llamacpp", "vllm", "custom"];
/** Their address is the operator's own. */
export const PLACELESS: readonly string[] = ["azure", "custom"];

/** Nothing for a channel of which even that cannot be read. */
export function vendorName(vendor: string | null, custom: string): string {
  if (vendor === null) return "";
  if (vendor === "sandbox") return "Sandbox";
  return vendor === "custom" ? custom : (NAMES[vendor] ?? vendor);
}
