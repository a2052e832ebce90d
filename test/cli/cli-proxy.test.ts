// Commands beside a server, where the environment names a proxy.
import { expect, test } from "bun:test";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { faregate } from "./commands.ts";

/** A server, and a proxy that writes down who came by it. */
const { server, proxied, settings } = await perFile(async (parts) => {
  const came: string[] = [];
  const proxy = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch({ url }) {
      came.push(url);
      return new Response("no way", { status: 502 });
    },
  });
  parts.defer(() => proxy.stop(true));
  const house = await serve(parts, { process: true });
  const address = `http://127.0.0.1:${proxy.port}`;
  // Those of the machine that the tests run on would decide otherwise.
  const names = { HTTP_PROXY: address, http_proxy: address, NO_PROXY: "", no_proxy: "" };
  return {
    ...{ server: house.server, proxied: came },
    settings: { ...house.database.settings, ...names },
  };
});

test("drafts are asked of the server that runs here, and not by the proxy", async () => {
  const { code, stderr } = await faregate(["draft", "ls", "--json"], settings);
  expect({ code, stderr, proxied }).toEqual({ code: 0, stderr: "", proxied: [] });
});

test("so are those of a server on this machine that is named", async () => {
  const { key } = await server.account("1");
  const named = { ...settings, FAREGATE_URL: server.url, FAREGATE_API_KEY: key };
  const { code, stderr } = await faregate(["draft", "ls", "--json"], named);
  expect({ code, stderr, proxied }).toEqual({ code: 0, stderr: "", proxied: [] });
});

test("a server that is elsewhere is called by the proxy", async () => {
  const named = { ...settings, FAREGATE_URL: "http://gate.invalid", FAREGATE_API_KEY: "sk-1" };
  const { code } = await faregate(["draft", "ls"], named);
  expect({ code, proxied }).toEqual({
    code: 1,
    proxied: [expect.stringContaining("gate.invalid")],
  });
  proxied.length = 0;
});

test("the doctor finds the server that runs here", async () => {
  const { stdout } = await faregate(["doctor", "--json"], settings);
  const { findings } = JSON.parse(stdout) as { findings: readonly { code: string }[] };
  const codes = findings.map(({ code }) => code);
  expect(codes).toContain("server_runs");
  expect(codes).not.toContain("server_dead");
  expect(proxied).toEqual([]);
});
