/** What a sandbox model can do; a capability that is missing is ignored or refused, never faked. */
type SandboxCapability = "tools" | "vision" | "reasoning" | "json" | "web_search";

export type SandboxEndpoint = "chat" | "responses" | "embeddings";

export interface SandboxModel {
  readonly id: string;
  readonly ownedBy: string;
  readonly endpoints: readonly SandboxEndpoint[];
  readonly capabilities: readonly SandboxCapability[];
}

export const SANDBOX_MODELS: readonly SandboxModel[] = [
  {
    id: "sandbox-1.0",
    ownedBy: "sandbox",
    endpoints: ["chat", "responses"],
    capabilities: ["tools", "vision", "reasoning", "json", "web_search"],
  },
  {
    id: "sandbox-mini-1.0",
    ownedBy: "sandbox",
    endpoints: ["chat", "responses"],
    capabilities: ["tools", "vision", "json", "web_search"],
  },
  {
    id: "lantern-2.1",
    ownedBy: "lantern",
    endpoints: ["chat"],
    capabilities: ["tools", "vision", "json"],
  },
  {
    id: "sandbox-2026-01-15",
    ownedBy: "sandbox",
    endpoints: ["chat", "responses"],
    capabilities: ["tools", "vision", "reasoning", "json", "web_search"],
  },
  {
    id: "sandbox-embedding-1.0",
    ownedBy: "sandbox",
    endpoints: ["embeddings"],
    capabilities: [],
  },
];

export function findSandboxModel(id: string): SandboxModel | undefined {
  return SANDBOX_MODELS.find((model) => model.id === id);
}

export function modelCan(model: SandboxModel, capability: SandboxCapability): boolean {
  return model.capabilities.includes(capability);
}
