// LiteLLM's proxy, from PyPI: without a database, and with PostgreSQL, where it keeps its spend logs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "../../test/engines/postgres.ts";
import { MODEL } from "../answer.ts";
import { freePort } from "../children.ts";
import { postgresRoots } from "../postgres/cost.ts";
import { chatServer, type Peer, type Running, type Site } from "./peer.ts";
import { pythonVersion, pythonWith, runTool } from "./tools.ts";

const VERSION = "1.106.2";

function settings(vendorUrl: string): string {
  const place = { model: `openai/${MODEL}`, api_base: vendorUrl, api_key: "sk-mock" };
  // JSON is YAML too.
  return JSON.stringify({ model_list: [{ model_name: MODEL, litellm_params: place }] });
}

async function install({ folder }: Site) {
  const programs = await pythonWith(folder, [`litellm[proxy]==${VERSION}`]);
  return { version: VERSION, runtime: await pythonVersion(programs) };
}

/** It refuses to start without a key of its own, so one is always asked for. */
function start(name: string, site: Site, env: Record<string, string>): Running {
  const { children, folder, vendorUrl } = site;
  const port = freePort();
  const key = `sk-bench-${crypto.randomUUID()}`;
  writeFileSync(join(folder, "litellm.yaml"), settings(vendorUrl));
  const where = ["--host", "127.0.0.1", "--port", String(port), "--config", "litellm.yaml"];
  const program = join(folder, "python/bin/litellm");
  const command = [program, ...where, "--num_workers", "1", "--telemetry", "False"];
  const own = {
    LITELLM_MASTER_KEY: key,
    // Otherwise it fetches its prices from the network at the start.
    LITELLM_LOCAL_MODEL_COST_MAP: "True",
    LITELLM_LOG: "ERROR",
    ...env,
  };
  const child = children.launch(name, command, port, own, folder);
  return { ...chatServer(children, child), key, answersAs: MODEL };
}

export const litellm: Peer = {
  id: "litellm",
  title: "LiteLLM",
  books: "none (no database)",
  install,
  start: async (site) => start("litellm", site, {}),
};

export const litellmPostgres: Peer = {
  id: "litellm-postgresql",
  title: "LiteLLM",
  variant: "PostgreSQL",
  books: "spend, written in batches",
  async install(site) {
    const { folder } = site;
    const programs = await pythonWith(folder, ["prisma"]);
    const path = { PATH: `${programs}:${process.env.PATH ?? ""}` };
    // It fetches its engine from a place of its own; where that fails, the rest would be in vain.
    await runTool([`${programs}/prisma`, "--version"], folder, path);
    const told = await install(site);
    const where = "import litellm.proxy as p; print(p.__path__[0])";
    const proxy = await runTool([`${programs}/python`, "-c", where], folder);
    const generate = [`${programs}/prisma`, "generate", "--schema", `${proxy}/schema.prisma`];
    await runTool(generate, folder, path);
    return told;
  },
  async start(site) {
    const before = new Set(postgresRoots());
    const postgres = await startPostgres();
    const running = start("litellm-postgresql", site, {
      DATABASE_URL: await postgres.createDatabase(),
      PATH: `${site.folder}/python/bin:${process.env.PATH ?? ""}`,
    });
    return {
      ...running,
      roots: [...running.roots, ...postgresRoots().filter((pid) => !before.has(pid))],
      stop: () => running.stop().finally(() => postgres.stop()),
    };
  },
};
