// TensorZero: its Python package holds the whole gateway in Rust and can serve it over HTTP.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL } from "../answer.ts";
import { type Child, logOf } from "../children.ts";
import { chatServer, type Peer } from "./peer.ts";
import { pythonVersion, pythonWith } from "./tools.ts";

const VERSION = "2026.6.0";
const START_MS = 60_000;

/** The port is the gateway's own choice, so it is printed. */
const SERVE = `
import threading
from tensorzero import _start_http_gateway
gateway = _start_http_gateway(
    config_file="tensorzero.toml", clickhouse_url=None, postgres_url=None, valkey_url=None,
    async_setup=False,
)
print("serving", gateway.base_url, flush=True)
threading.Event().wait()
`;

/** Its records need ClickHouse, or a PostgreSQL that another program has prepared. */
function settings(vendorUrl: string): string {
  return `
[gateway]
observability.enabled = false
[models."${MODEL}"]
routing = ["mock"]
[models."${MODEL}".providers.mock]
type = "openai"
model_name = "${MODEL}"
api_base = "${vendorUrl}/"
api_key_location = "none"
`;
}

async function printedPort(child: Child): Promise<number> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline && child.process.exitCode === null) {
    const found = /serving http:\/\/127\.0\.0\.1:(\d+)\//.exec(logOf(child));
    if (found) return Number(found[1]);
    await Bun.sleep(50);
  }
  throw new Error(`it did not start: ${logOf(child).trim().split("\n").at(-1)}`);
}

export const tensorzero: Peer = {
  id: "tensorzero",
  title: "TensorZero",
  books: "none (records off)",
  async install({ folder }) {
    const programs = await pythonWith(folder, [`tensorzero==${VERSION}`]);
    return { version: VERSION, runtime: `Rust inside ${await pythonVersion(programs)}` };
  },
  async start({ children, folder, vendorUrl }) {
    writeFileSync(join(folder, "tensorzero.toml"), settings(vendorUrl));
    writeFileSync(join(folder, "serve.py"), SERVE);
    const command = [join(folder, "python/bin/python"), "serve.py"];
    const child = children.launch("tensorzero", command, 0, {}, folder);
    const name = `tensorzero::model_name::${MODEL}`;
    return {
      ...chatServer(children, child),
      port: await printedPort(child),
      path: "/openai/v1/chat/completions",
      model: name,
      answersAs: name,
    };
  },
};
