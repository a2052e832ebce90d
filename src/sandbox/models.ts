export type SandboxEndpoint = "chat" | "responses" | "embeddings";

export interface SandboxModel {
  readonly id: string;
  readonly endpoints: readonly SandboxEndpoint[];
  /** What only some of them can do; a request for it is otherwise passed over. */
  readonly can: readonly ("reason" | "search")[];
}

export const SANDBOX_MODELS: readonly SandboxModel[] = [
  { id: "sandbox-1.0", endpoints: ["chat", "responses"], can: ["reason", "search"] },
  { id: "sandbox-mini-1.0", endpoints: ["chat", "responses"], can: ["search"] },
  { id: "lantern-2.1", endpoints: ["chat"], can: [] },
  { id: "sandbox-2026-01-15", endpoints: ["chat", "responses"], can: ["reason", "search"] },
  { id: "sandbox-embedding-1.0", endpoints: ["embeddings"], can: [] },
];

export function findSandboxModel(id: string): SandboxModel | undefined {
  return SANDBOX_MODELS.find((model) => model.id === id);
}
