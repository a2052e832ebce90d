// The clients that are tried, in the versions that docs/clients.md names.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCode, codex, geminiCli, opencode } from "./agents.ts";
import { install, runClient, type Site } from "./site.ts";

type Language = "node" | "python";

export interface Client {
  readonly name: string;
  readonly version: string;
  readonly language: Language;
  /** Installs it into the folder of the site. */
  install(site: Site): Promise<unknown>;
  /** Runs a small task to its end and returns what the client said; throws if it fails. */
  run(site: Site): Promise<string>;
}

function npm(
  name: string,
  packageName: string,
  version: string,
  run: (site: Site) => Promise<string>,
  ...beside: string[]
): Client {
  const options = ["--no-audit", "--no-fund", "--no-save", "--prefix", "."];
  const packages = [`${packageName}@${version}`, ...beside];
  return {
    name,
    version,
    language: "node",
    install: ({ folder }) => install(["npm", "install", ...options, ...packages], folder),
    run,
  };
}

/** Runs a script of `node/` in the folder that has its packages. */
function nodeScript(file: string): (site: Site) => Promise<string> {
  return (site) => {
    const script = join(site.folder, file);
    copyFileSync(join(import.meta.dir, "node", file), script);
    return runClient(site, ["node", script]);
  };
}

function pip(name: string, packages: readonly [string, ...string[]], file: string): Client {
  const [, version = ""] = packages[0].split("==");
  const python = ({ folder }: Site) => join(folder, "venv", "bin", "python");
  return {
    name,
    version,
    language: "python",
    async install(site) {
      await install(["python3", "-m", "venv", "venv"], site.folder);
      await install([python(site), "-m", "pip", "install", "--quiet", ...packages], site.folder);
    },
    run: (site) => runClient(site, [python(site), join(import.meta.dir, "python", file)]),
  };
}

export const CLIENTS: readonly Client[] = [
  npm("Codex CLI", "@openai/codex", "0.169.0", codex),
  npm("opencode", "opencode-ai", "1.18.33", opencode),
  npm("Claude Code", "@anthropic-ai/claude-code", "2.1.328", claudeCode),
  npm("Gemini CLI", "@google/gemini-cli", "0.61.0", geminiCli),
  npm("@anthropic-ai/sdk", "@anthropic-ai/sdk", "1.10.0", nodeScript("anthropic-tools.mjs")),
  npm(
    "@openrouter/ai-sdk-provider",
    "@openrouter/ai-sdk-provider",
    "3.1.0",
    nodeScript("openrouter.mjs"),
    "ai@7.0.173",
    "zod@4.6.7",
  ),
  pip("anthropic", ["anthropic==2.10.0"], "anthropic_tools.py"),
  pip("google-genai", ["google-genai==3.3.0"], "google_genai.py"),
  pip("LangChain", ["langchain==1.4.7", "langchain-openai==1.7.3"], "langchain_agent.py"),
  pip("pydantic-ai", ["pydantic-ai==2.62.0"], "pydantic_ai_agent.py"),
  pip("agno", ["agno==3.1.10", "openai==3.51.0"], "agno_agent.py"),
];

/** Names the first program of a language that this machine does not have. */
export function missingFor(language: Language): string | undefined {
  const programs = language === "node" ? ["node", "npm"] : ["python3"];
  return programs.find((program) => Bun.which(program) === null);
}
