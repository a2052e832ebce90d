// `npx` with the packed tarball, from an empty folder and with an empty cache. It downloads the runtime.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { partsOfTest } from "../support/houses/house.ts";
import { buildPackage, firstCall, serve } from "./shipped.ts";

const parts = partsOfTest();

test.each([
  ["npm runs install scripts", "false"],
  ["npm blocks them", "true"],
])(
  "npx starts the package from nothing, and ends its server with itself, where %s",
  async (_, ignore) => {
    const { tarball } = await buildPackage(parts.folder());
    const cwd = parts.folder();
    const npx = { cwd, command: ["npx", "-y", `--package=${tarball}`, "--", "faregate"] };
    const cache = parts.folder();
    const config = { npm_config_cache: cache, npm_config_ignore_scripts: ignore };
    const own = { ...config, FAREGATE_STATE: parts.folder() };
    // Where npm has its registry from.
    const settings = { ...own, HOME: process.env.HOME ?? "", npm_config_loglevel: "silent" };
    const server = await serve(parts, npx, settings);
    expect((await firstCall(server.url, server.key)).status).toBe(200);
    expect(readdirSync(cwd)).toEqual(["data"]);
    expect(readdirSync(cache)).toContain("_npx");
    // The streams end when the server has ended, and not only npx.
    const { errors } = await server.stop();
    expect(errors).toContain("process_stopped");
    await expect(fetch(server.url)).rejects.toThrow();
  },
);
