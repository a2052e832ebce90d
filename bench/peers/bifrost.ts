// Bifrost, built from its Go module: with its request log, which is its default, and without.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL } from "../answer.ts";
import { freePort } from "../children.ts";
import { chatServer, type Peer } from "./peer.ts";
import { programOf, runTool } from "./tools.ts";

const VERSION = "v1.6.0";
const MODULE = "github.com/maximhq/bifrost/transports/bifrost-http";

function settings(vendorPort: number, logged: boolean, folder: string) {
  const key = { name: "mock", value: "sk-mock", models: ["*"], weight: 1 };
  const logs = { enabled: true, type: "sqlite", config: { path: join(folder, "logs.db") } };
  return {
    client: { enable_logging: logged, drop_excess_requests: false },
    // Unlike the others it adds /v1 itself.
    providers: {
      openai: {
        keys: [key],
        network_config: { base_url: `http://127.0.0.1:${vendorPort}` },
      },
    },
    config_store: { enabled: false },
    logs_store: logged ? logs : { enabled: false },
  };
}

function bifrostWith(id: string, logged: boolean): Peer {
  return {
    id,
    title: "Bifrost",
    variant: logged ? "log on SQLite" : "no log",
    books: logged ? "request log, written in batches" : "none (request log off)",
    async install({ folder }) {
      const go = programOf("go");
      // Modules in the cache are read-only by default, and the folder could not be removed.
      const env = { GOPATH: join(folder, "go"), GOFLAGS: "-modcacherw -buildvcs=false" };
      await runTool([go, "install", `${MODULE}@${VERSION}`], folder, env);
      return { version: VERSION, runtime: await runTool([go, "env", "GOVERSION"], folder) };
    },
    async start({ children, folder, vendorPort }) {
      const port = freePort();
      const data = join(folder, "data");
      mkdirSync(data);
      writeFileSync(join(data, "config.json"), JSON.stringify(settings(vendorPort, logged, data)));
      const where = ["-host", "127.0.0.1", "-port", String(port), "-app-dir", data];
      const command = [join(folder, "go/bin/bifrost-http"), ...where, "-log-level", "error"];
      const child = children.launch(id, command, port, {}, folder);
      return { ...chatServer(children, child), model: `openai/${MODEL}`, answersAs: null };
    },
  };
}

export const bifrost = bifrostWith("bifrost", false);
export const bifrostLogged = bifrostWith("bifrost-logged", true);
