// The agents of the command line. Each is set up as the README says, and asked for something small.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { binary, runClient, type Site } from "./site.ts";

function configure({ folder }: Site, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Of a program that prints an event on each line, those that can be read. */
function eventsOf<Event>(printed: string): Event[] {
  const lines = printed.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as Event);
}

export async function codex(site: Site): Promise<string> {
  const settings = `model = "${site.model}"
model_provider = "faregate"

[model_providers.faregate]
name = "Faregate"
base_url = "${site.url}/v1"
env_key = "FAREGATE_KEY"
wire_api = "responses"
`;
  configure(site, ".codex/config.toml", settings);
  const options = ["--json", "--skip-git-repo-check", "--sandbox", "read-only"];
  const printed = await runClient(site, [binary(site, "codex"), "exec", ...options, "Say hello."]);
  type Event = { readonly type: string; readonly item?: { readonly type: string; text?: string } };
  const events = eventsOf<Event>(printed);
  const kinds = events.map(({ item }) => item?.type);
  assert(!kinds.includes("command_execution"), `it ran a command:\n${printed}`);
  assert(
    events.some(({ type }) => type === "turn.completed"),
    `it did not end:\n${printed}`,
  );
  return events.find(({ item }) => item?.type === "agent_message")?.item?.text ?? "";
}

export async function opencode(site: Site): Promise<string> {
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Faregate",
    options: { baseURL: `${site.url}/v1`, apiKey: "{env:FAREGATE_KEY}" },
    models: { [site.model]: {} },
  };
  const settings = { provider: { faregate: provider }, model: `faregate/${site.model}` };
  configure(site, ".config/opencode/opencode.json", JSON.stringify(settings));
  const printed = await runClient(site, [
    binary(site, "opencode"),
    "run",
    "--format",
    "json",
    "Say hello.",
  ]);
  type Event = { readonly type: string; readonly part?: { readonly text?: string } };
  const events = eventsOf<Event>(printed);
  assert(!events.some(({ type }) => type === "tool_use"), `it called a tool:\n${printed}`);
  return events.find(({ type }) => type === "text")?.part?.text ?? "";
}

export async function claudeCode(site: Site): Promise<string> {
  const command = [binary(site, "claude"), "-p", "hi", "--output-format", "json"];
  const printed = await runClient(site, command, {
    ANTHROPIC_BASE_URL: site.url,
    ANTHROPIC_AUTH_TOKEN: site.key,
    ANTHROPIC_MODEL: site.model,
  });
  const [answer] = eventsOf<{ is_error: boolean; num_turns: number; result: string }>(printed);
  assert(answer && !answer.is_error, printed);
  // A call of a tool would have been a turn of its own.
  assert.equal(answer.num_turns, 1);
  return answer.result;
}

export async function geminiCli(site: Site): Promise<string> {
  const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
  configure(site, ".gemini/settings.json", JSON.stringify(settings));
  const options = ["--skip-trust", "-m", site.model, "--output-format", "json"];
  const printed = await runClient(
    site,
    [binary(site, "gemini"), ...options, "-p", "What is 3 + 4?"],
    { GOOGLE_GEMINI_BASE_URL: site.url, GEMINI_API_KEY: site.key },
  );
  type AgentOutput = { response: string; stats: { tools: { totalCalls: number } } };
  const answer = JSON.parse(printed.slice(printed.indexOf("{"))) as AgentOutput;
  assert.equal(answer.stats.tools.totalCalls, 0);
  assert.match(answer.response, /7/);
  return answer.response;
}
