import type { Dialect, PassWire } from "../protocols/wire.ts";

/** What a vendor can be spoken to by: the wires that translate, and those that only pass. */
export type VendorEndpoint = PassWire["endpoint"];

/** How a key is shown: as a bearer, in a header of the vendor's, or as each wire has it. */
export type VendorAuth = "bearer" | "wire" | { readonly header: string };

/** A vendor is data: where it is, how it is paid for access, and how it behaves. */
export interface Vendor {
  readonly id: string;
  readonly name: string;
  /** Environment variables that may hold the key, or several keys with commas between them. */
  readonly keyVariables: readonly string[];
  /** Servers of the operator's own answer without one. */
  readonly keyOptional?: boolean;
  readonly baseUrlVariable: string;
  /** Which of its addresses the operator's own replaces; the first unless it says otherwise. */
  readonly mainProtocol?: VendorEndpoint;
  /**
   * What it speaks and where, the truest to translate to first. An address that begins with a slash
   * stands behind one that the operator has to give.
   */
  readonly protocols: Readonly<Partial<Record<VendorEndpoint, string>>>;
  /** What the vendor's own clients put behind an address that they are given. */
  readonly basePath?: string;
  readonly auth: VendorAuth;
  readonly headers?: Readonly<Record<string, string>>;
  readonly dialect: Dialect;
  /** Nobody is billed for what it does, so it may be asked for anything. */
  readonly unbilled?: boolean;
  /** Where it runs web searches that a request asks for. */
  readonly searches?: readonly VendorEndpoint[];
  /** Whether the vendor stops (and stops billing) when we hang up. Where nobody knows, it does not. */
  readonly onDisconnect: "abort" | "drain";
  /** The list of models, behind the main address. It also tells whether the vendor is there. */
  readonly modelsPath?: string;
  /** What it serves is not known before it is asked. */
  readonly fetchModels?: boolean;
  /** Whose names of models it uses where the catalogue has none of its own. */
  readonly namesOf?: string;
}

/** Members of OpenAI's own. Strict vendors refuse a request for them, lenient ones overlook them. */
const OPENAI_OWN = [
  "store",
  "metadata",
  "prompt_cache_retention",
  "safety_identifier",
  "verbosity",
  "prediction",
  "modalities",
  "audio",
  "web_search_options",
  "service_tier",
];
const KEYED = [...OPENAI_OWN, "prompt_cache_key"];

/** Words of many vendors' own for what tokens pay for anyway: how to choose them, and how to think. */
const SAMPLING = ["top_k", "min_p", "top_a", "repetition_penalty"];
const THINKING = [
  ...["thinking", "enable_thinking", "thinking_budget", "reasoning", "include_reasoning"],
  ...["reasoning_format", "reasoning_split", "chat_template_kwargs"],
];

const OPENAI_ADDRESS = "https://api.openai.com/v1";
const OPENAI: Dialect = { developerRole: true, customTools: true };

/** What most are called in the environment: their name, or what stands for it there. */
function named(id: string, name: string, inVariables = id.toUpperCase()) {
  const keyVariables = [`${inVariables}_API_KEY`];
  return { id, name, keyVariables, baseUrlVariable: `${inVariables}_BASE_URL` };
}

/** How most take their keys, and where they list their models. */
const AS_OPENAI = { auth: "bearer", modelsPath: "/models" } as const;

/** One address for all that OpenAI-shaped servers have, chat first. */
function chatAt(address: string): Vendor["protocols"] {
  return { chat: address, embeddings: address };
}

const LOCAL = {
  keyOptional: true,
  unbilled: true,
  // Some of these have other wires too, by version; this is the one that all of them have.
  protocols: chatAt("/v1"),
  ...AS_OPENAI,
  onDisconnect: "abort",
  fetchModels: true,
} as const;

export const VENDORS: readonly Vendor[] = [
  {
    ...AS_OPENAI,
    ...named("openai", "OpenAI"),
    protocols: { responses: OPENAI_ADDRESS, ...chatAt(OPENAI_ADDRESS) },
    dialect: OPENAI,
    searches: ["responses"],
    onDisconnect: "abort",
  },
  {
    ...named("anthropic", "Anthropic"),
    protocols: { messages: "https://api.anthropic.com/v1" },
    basePath: "/v1",
    auth: { header: "x-api-key" },
    dialect: {},
    searches: ["messages"],
    onDisconnect: "abort",
    modelsPath: "/models?limit=1000",
  },
  {
    ...named("google", "Google Gemini", "GEMINI"),
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    protocols: { gemini: "https://generativelanguage.googleapis.com/v1beta" },
    basePath: "/v1beta",
    auth: { header: "x-goog-api-key" },
    dialect: {},
    searches: ["gemini"],
    onDisconnect: "drain",
    modelsPath: "/models?pageSize=1000",
  },
  {
    id: "azure",
    name: "Azure OpenAI",
    keyVariables: ["AZURE_OPENAI_API_KEY"],
    baseUrlVariable: "AZURE_OPENAI_ENDPOINT",
    protocols: { responses: "/openai/v1", ...chatAt("/openai/v1") },
    auth: { header: "api-key" },
    dialect: OPENAI,
    onDisconnect: "abort",
    modelsPath: "/models",
    // A deployment is named by whoever made it; most name it after its model.
    namesOf: "openai",
  },
  {
    ...AS_OPENAI,
    ...named("deepseek", "DeepSeek"),
    protocols: {
      chat: "https://api.deepseek.com/v1",
      messages: "https://api.deepseek.com/anthropic/v1",
    },
    dialect: {
      takes: ["thinking"],
      maxTokensName: "max_tokens",
      jsonSchema: false,
      reasoningBack: true,
      refuses: KEYED,
    },
    onDisconnect: "abort",
  },
  {
    ...AS_OPENAI,
    ...named("moonshot", "Moonshot"),
    protocols: {
      chat: "https://api.moonshot.ai/v1",
      messages: "https://api.moonshot.ai/anthropic/v1",
    },
    dialect: { takes: ["thinking"], reasoningBack: true, refuses: OPENAI_OWN },
    onDisconnect: "drain",
  },
  {
    ...AS_OPENAI,
    ...named("zhipu", "Z.ai"),
    keyVariables: ["ZHIPU_API_KEY", "ZAI_API_KEY"],
    protocols: {
      chat: "https://api.z.ai/api/paas/v4",
      messages: "https://api.z.ai/api/anthropic/v1",
    },
    dialect: {
      takes: ["thinking", "do_sample", "tool_stream", "request_id", "user_id"],
      maxTokensName: "max_tokens",
      jsonSchema: false,
      reasoningBack: true,
      refuses: KEYED,
    },
    onDisconnect: "drain",
  },
  {
    ...AS_OPENAI,
    ...named("alibaba", "Alibaba Qwen", "DASHSCOPE"),
    protocols: chatAt("https://dashscope-intl.aliyuncs.com/compatible-mode/v1"),
    dialect: {
      takes: [...SAMPLING, "enable_thinking", "thinking_budget", "preserve_thinking"],
      maxTokensName: "max_tokens",
      refuses: KEYED,
    },
    onDisconnect: "drain",
  },
  {
    ...AS_OPENAI,
    ...named("minimax", "MiniMax"),
    mainProtocol: "chat",
    // On its chat wire the thinking stands in the text; on this one it stands apart.
    protocols: {
      messages: "https://api.minimax.io/anthropic/v1",
      chat: "https://api.minimax.io/v1",
    },
    dialect: {
      takes: ["reasoning_split", "mask_sensitive_info"],
      jsonSchema: false,
      refuses: KEYED,
    },
    onDisconnect: "drain",
  },
  {
    ...AS_OPENAI,
    ...named("xai", "xAI"),
    protocols: { responses: "https://api.x.ai/v1", chat: "https://api.x.ai/v1" },
    dialect: { refuses: KEYED },
    searches: ["responses"],
    onDisconnect: "abort",
  },
  {
    ...AS_OPENAI,
    ...named("mistral", "Mistral"),
    protocols: chatAt("https://api.mistral.ai/v1"),
    dialect: {
      takes: ["safe_prompt", "random_seed", "prompt_mode"],
      maxTokensName: "max_tokens",
      // Its streams end with the usage unasked.
      refuses: [...KEYED, "stream_options", "logit_bias", "logprobs", "top_logprobs", "user"],
    },
    onDisconnect: "drain",
  },
  {
    ...AS_OPENAI,
    ...named("groq", "Groq"),
    protocols: { chat: "https://api.groq.com/openai/v1" },
    dialect: {
      takes: ["reasoning_format", "include_reasoning"],
      refuses: [...KEYED, "logit_bias", "logprobs", "top_logprobs"],
    },
    onDisconnect: "drain",
  },
  {
    ...AS_OPENAI,
    ...named("together", "Together"),
    protocols: chatAt("https://api.together.xyz/v1"),
    dialect: {
      takes: [...SAMPLING, "reasoning", "chat_template_kwargs"],
      maxTokensName: "max_tokens",
      refuses: KEYED,
    },
    onDisconnect: "abort",
  },
  {
    ...AS_OPENAI,
    ...named("fireworks", "Fireworks"),
    protocols: {
      ...chatAt("https://api.fireworks.ai/inference/v1"),
      messages: "https://api.fireworks.ai/inference/v1",
    },
    dialect: {
      takes: [...SAMPLING, "thinking", "reasoning_history", "prompt_truncate_len"],
      maxTokensName: "max_tokens",
      reasoningBack: true,
      refuses: KEYED,
    },
    onDisconnect: "abort",
  },
  {
    ...AS_OPENAI,
    ...named("openrouter", "OpenRouter"),
    protocols: chatAt("https://openrouter.ai/api/v1"),
    headers: { "x-title": "Faregate" },
    dialect: {
      takes: [...SAMPLING, "reasoning", "include_reasoning", "usage", "transforms", "session_id"],
      maxTokensName: "max_tokens",
      reasoningBack: true,
    },
    // Whether it stops depends on who serves the request there.
    onDisconnect: "drain",
  },
  {
    ...LOCAL,
    ...named("ollama", "Ollama"),
    dialect: { maxTokensName: "max_tokens", refuses: KEYED },
  },
  {
    ...LOCAL,
    ...named("lmstudio", "LM Studio"),
    dialect: { maxTokensName: "max_tokens", refuses: KEYED },
  },
  {
    ...LOCAL,
    ...named("llamacpp", "llama.cpp"),
    dialect: { maxTokensName: "max_tokens", reasoningBack: true, refuses: KEYED },
  },
  {
    ...LOCAL,
    ...named("vllm", "vLLM"),
    dialect: { refuses: KEYED },
  },
];

/** Whoever is named in no row: OpenAI's wire as most speak it, and nothing taken for granted. */
export const CUSTOM_VENDOR: Vendor = {
  id: "custom",
  name: "Custom",
  keyVariables: [],
  keyOptional: true,
  baseUrlVariable: "",
  protocols: chatAt(""),
  auth: "wire",
  dialect: { takes: [...SAMPLING, ...THINKING], maxTokensName: "max_tokens" },
  onDisconnect: "drain",
  modelsPath: "/models",
};
