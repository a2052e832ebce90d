import type { Model } from "./models.ts";

/**
 * Codex takes this for the whole of its instructions, and throws the list away where it is missing,
 * so it must be enough to work by.
 */
const INSTRUCTIONS = `You are a coding agent in a terminal. You share a workspace with the person who wrote to you, and
you act on it with the tools that you are given.

How to work
- Find out before you change. Read the files that matter, and search with rg where it is
  installed.
- Do what was asked, all of it, and nothing beside it. Keep to the style, the names and the tools
  of the project, and to instructions in files such as AGENTS.md; a file deeper in the tree has
  the last word for what lies below it.
- Fix the cause, not the symptom. Do not repair what is unrelated; mention it instead.
- The workspace may hold changes that are not yours. Never undo them, and run no command that
  destroys work (such as git reset --hard or git checkout --) unless it was asked for. Commit
  only when asked.
- Go on until the task is done. Ask only where you cannot proceed safely without an answer.

How to check
- Run the tests, the type checker and the linter that the project has: first for what you
  changed, then wider. Say which of them you could not run.
- A command that is refused by the sandbox needs approval: say in a sentence why you need it.

How to answer
- Before a group of commands, say in a sentence what you are about to do.
- At the end say briefly what changed and why, with paths as src/file.ts:12, and what is left to
  do. Do not repeat files that you have written. If nothing was to be changed, just answer.
`;

const REASONING_LEVELS = [
  { effort: "low", description: "Answers soon, thinks little" },
  { effort: "medium", description: "For everyday work" },
  { effort: "high", description: "For hard problems, takes longer" },
] as const;

/** What Codex keeps of a tool's output, as it does for models that it does not know. */
const TRUNCATION = { mode: "bytes", limit: 10_000 } as const;
const CONTEXT_PERCENT = 95;

function toCodex(model: Model, index: number) {
  const reasoning = model.capabilities.includes("reasoning");
  // Codex knows these two, and drops the list over any other.
  const modalities = model.modalities.input.filter((kind) => kind === "text" || kind === "image");
  return {
    slug: model.id,
    display_name: model.displayName,
    description: `${model.displayName} by ${model.ownedBy}`,
    default_reasoning_level: reasoning ? "medium" : null,
    supported_reasoning_levels: reasoning ? REASONING_LEVELS : [],
    shell_type: "unified_exec",
    visibility: "list",
    supported_in_api: true,
    priority: index,
    upgrade: null,
    base_instructions: INSTRUCTIONS,
    supports_reasoning_summaries: reasoning,
    support_verbosity: false,
    default_verbosity: null,
    // Not every vendor keeps to a grammar; without the tool, files are changed through the shell.
    apply_patch_tool_type: null,
    truncation_policy: TRUNCATION,
    supports_parallel_tool_calls: model.capabilities.includes("tools"),
    context_window: model.context,
    max_context_window: model.context,
    auto_compact_token_limit: null,
    effective_context_window_percent: CONTEXT_PERCENT,
    experimental_supported_tools: [],
    input_modalities: modalities,
  };
}

/**
 * The models as Codex wants them described, those first that are listed first. Codex speaks
 * Responses and works through tools, so others are left out.
 */
export function codexModels(models: readonly Model[]): ReturnType<typeof toCodex>[] {
  return models
    .filter((model) => model.endpoints.includes("responses"))
    .filter((model) => model.capabilities.includes("tools"))
    .map(toCodex);
}
