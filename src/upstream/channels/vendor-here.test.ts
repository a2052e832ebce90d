// A vendor on this very machine, where the environment names a proxy for the others.
import { describe, expect, test } from "bun:test";
import { perFile } from "../../../test/support/houses/house.ts";
import { setEnvironment } from "../../../test/support/outside/environment.ts";
import { readConfig } from "../../config/config.ts";
import { type Channel, configuredChannels } from "./channels.ts";
import type { VendorKey } from "./credentials.ts";

/** A server that keeps the addresses it was asked for. */
function listening(hostname: string) {
  const asked: string[] = [];
  const server = Bun.serve({
    ...{ hostname, port: 0 },
    fetch({ url }) {
      asked.push(new URL(url).pathname);
      return Response.json({ data: [] });
    },
  });
  return { asked, port: server.port, stop: () => server.stop(true) };
}

/** Bun's `fetch` reads them from the environment of the process. */
const { here, proxy, proxies } = await perFile((parts) => {
  const servers = { here: listening("localhost"), proxy: listening("127.0.0.1") };
  for (const { stop } of Object.values(servers)) parts.defer(stop);
  const address = `http://127.0.0.1:${servers.proxy.port}`;
  const names = { HTTP_PROXY: address, http_proxy: address, NO_PROXY: "", no_proxy: "" };
  setEnvironment(parts, names);
  return { ...servers, proxies: names };
});

describe.each(["auto", "fetch"])("behind a proxy, a vendor by %s", (FAREGATE_TRANSPORT) => {
  const env = { ...proxies, FAREGATE_TRANSPORT };

  function channelAt(origin: string): Channel {
    const [channel] = configuredChannels(
      readConfig({ ...env, VLLM_API_KEY: "k-1", VLLM_BASE_URL: `${origin}/v1` }),
    );
    return channel as Channel;
  }

  async function askedOf(origin: string) {
    here.asked.length = 0;
    proxy.asked.length = 0;
    const channel = channelAt(origin);
    const key = channel.keys[0] as VendorKey;
    const call = { path: "/chat/completions", body: "{}", stream: false, requestId: "req_1" };
    await channel.call({ ...call, endpoint: "chat", sandboxFault: undefined }, key).answered;
    await channel.list?.(key, AbortSignal.timeout(60_000));
    return { here: here.asked, proxy: proxy.asked };
  }

  const paths = ["/v1/chat/completions", "/v1/models"];

  test("on this machine is called directly", async () => {
    expect(await askedOf(`http://localhost:${here.port}`)).toEqual({ here: paths, proxy: [] });
  });

  test("elsewhere is called by it", async () => {
    expect(await askedOf("http://vendor.invalid")).toEqual({ here: [], proxy: paths });
  });

  test.each([
    ["http://127.0.0.1:11434", true],
    ["http://[::1]:11434", true],
    ["http://vendor.invalid", false],
  ])("at %s can be connected to: %p", (origin, isDirect) => {
    // Our own client knows by itself whether it is connected.
    const isLookedFor = isDirect && FAREGATE_TRANSPORT === "fetch";
    expect(channelAt(origin).reach?.("chat") !== undefined).toBe(isLookedFor);
  });
});
