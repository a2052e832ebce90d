/**
 * Features behind the header `anthropic-beta` that change only how tokens are read and written. Files,
 * containers, skills, servers of tools, threads and faster or other models are not among them: they
 * belong to the account that all our customers share, or cost what nothing here prices. So does a
 * longer context than the model's own, which has a price of its own at the vendor.
 */
const PASSED = new Set([
  "adaptive-thinking",
  "advanced-tool-use",
  "claude-code",
  "compact",
  "computer-use",
  "context-management",
  "dev-full-thinking",
  "effort",
  "extended-cache-ttl",
  "fine-grained-tool-streaming",
  "inline-tools",
  "interleaved-thinking",
  "mid-conversation-output-config",
  "mid-conversation-system-clear-at",
  "mid-conversation-tool-changes",
  "model-context-window-exceeded",
  "output-128k",
  "output-300k",
  "pdfs",
  "prompt-caching",
  "prompt-caching-scope",
  "redact-thinking",
  "structured-outputs",
  "task-budgets",
  "thinking-binding-controls",
  "thinking-display-updates",
  "thinking-token-count",
  "token-counting",
  "token-efficient-tools",
  "tool-examples",
  "tool-search-tool",
]);

/** A feature's name ends in the day of its version. */
const VERSION = /-\d{4}-?\d{2}-?\d{2}$/;

/** The features of the client's header that may go to the vendor, as the header's new value. */
export function passedBetas(header: string | null): string | undefined {
  const names = (header ?? "").split(",").map((name) => name.trim());
  const passed = names.filter(
    (name) => VERSION.test(name) && PASSED.has(name.replace(VERSION, "")),
  );
  return passed.length > 0 ? [...new Set(passed)].join(",") : undefined;
}
