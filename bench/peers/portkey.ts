// Portkey's open gateway, from npm.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../children.ts";
import { chatServer, type Peer } from "./peer.ts";
import { programOf, runTool } from "./tools.ts";

const VERSION = "1.15.2";

/**
 * The versions of its own lock file. With the newest that its ranges allow, every stream is answered
 * with 500 on Node 20, which only a bench that reads the answers notices.
 */
const LOCKED = { hono: "4.9.7", "@hono/node-server": "1.13.5" };

/** It has no setting for the address and would listen on all of them; this names ours where none is named. */
const LISTEN_HERE = `
const { Server } = require("node:net");
const { listen } = Server.prototype;
Server.prototype.listen = function (port, host, ...rest) {
  const named = typeof port === "object" || typeof host === "string";
  if (named) return listen.call(this, port, host, ...rest);
  const left = host === undefined ? rest : [host, ...rest];
  return listen.call(this, port, "127.0.0.1", ...left);
};
`;

export const portkey: Peer = {
  id: "portkey",
  title: "Portkey",
  books: "none in the open version",
  async install({ folder }) {
    const node = programOf("node");
    const wanted = {
      private: true,
      dependencies: { "@portkey-ai/gateway": VERSION },
      overrides: LOCKED,
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(wanted));
    await runTool([programOf("npm"), "install", "--no-audit", "--no-fund"], folder);
    return { version: VERSION, runtime: `Node ${await runTool([node, "--version"], folder)}` };
  },
  async start({ children, folder, vendorUrl }) {
    const port = freePort();
    const script = "node_modules/@portkey-ai/gateway/build/start-server.js";
    writeFileSync(join(folder, "listen-here.cjs"), LISTEN_HERE);
    const here = ["--require", "./listen-here.cjs"];
    const command = [programOf("node"), ...here, script, "--headless", `--port=${port}`];
    const child = children.launch("portkey", command, port, {}, folder);
    return {
      ...chatServer(children, child),
      headers: { "x-portkey-provider": "openai", "x-portkey-custom-host": vendorUrl },
    };
  },
};
