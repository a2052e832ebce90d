// Every client that is tried, in the version that the documents name.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCode, codex, geminiCli, opencode } from "./agents.ts";
import { install, runClient, type Site } from "./site.ts";

type Language = "node" | "python";

export interface Client {
  readonly name: string;
  readonly version: string;
  readonly language: Language;
  /** Into the folder of the site. */
  install(site: Site): Promise<unknown>;
  /** Has it finish a small task, and returns what it said; throws where it did not. */
  run(site: Site): Promise<string>;
}

function npm(
  name: string,
  packageName: string,
  version: string,
  run: (site: Site) => Promise<string>,
): Client {
  const options = ["--no-audit", "--no-fund", "--no-save", "--prefix", "."];
  return {
    name,
    version,
    language: "node",
    install: ({ folder }) =>
      install(["npm", "install", ...options, `${packageName}@${version}`], folder),
    run,
  };
}

/** A script beside this file, run where its package is. */
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
  npm("Codex CLI", "@openai/codex", "0.166.0", codex),
  npm("opencode", "opencode-ai", "1.18.33", opencode),
  npm("Claude Code", "@anthropic-ai/claude-code", "2.1.325", claudeCode),
  npm("Gemini CLI", "@google/gemini-cli", "0.61.0", geminiCli),
  npm("@anthropic-ai/sdk", "@anthropic-ai/sdk", "1.8.0", nodeScript("anthropic-tools.mjs")),
  pip("anthropic", ["anthropic==2.8.0"], "anthropic_tools.py"),
  pip("google-genai", ["google-genai==3.1.0"], "google_genai.py"),
  pip("LangChain", ["langchain==1.4.7", "langchain-openai==1.7.3"], "langchain_agent.py"),
  pip("pydantic-ai", ["pydantic-ai==2.62.0"], "pydantic_ai_agent.py"),
];

/** What a language needs to be there; the word that is missing, or undefined. */
export function missingFor(language: Language): string | undefined {
  const programs = language === "node" ? ["node", "npm"] : ["python3"];
  return programs.find((program) => Bun.which(program) === null);
}
