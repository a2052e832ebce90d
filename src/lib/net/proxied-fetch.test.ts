import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { perSuite } from "../../../test/support/houses/house.ts";
import { ForwardProxy } from "../../../test/support/outside/forward-proxy.ts";
import { startUpgradingServer } from "../../../test/support/outside/upgrading-server.ts";
import { TEST_CERTIFICATE } from "../../../test/support/samples/test-certificate.ts";
import { proxiedFetch } from "./proxied-fetch.ts";
import { type AddressFilter, SafeFetchError } from "./safe-fetch.ts";

const TARGET = "https://platform.test/cgi-bin/draft/add?access_token=t0ken";
const OPEN: AddressFilter = { allowPrivate: true };
const SHUT: AddressFilter = { allowPrivate: false };

const platform = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: TEST_CERTIFICATE,
  async fetch(request) {
    const body = new Uint8Array(await request.arrayBuffer());
    const { pathname, search } = new URL(request.url);
    return Response.json({
      asked: pathname + search,
      bytes: body.length,
      isWhole: body.every((byte) => byte === 7),
      password: request.headers.get("proxy-authorization"),
    });
  },
});
const proxy = await new ForwardProxy(platform.port ?? 0, "me@home:p:w").listen();
const upgrading = startUpgradingServer();
afterAll(async () => {
  upgrading.close();
  proxy.stop();
  await platform.stop(true);
});
beforeEach(() => {
  proxy.asked.length = 0;
  proxy.mood = "good";
});

const USER = "me%40home:p%3Aw";

function call(address: string, url: string, filter = OPEN, deadlineMs = 60_000) {
  const body = new TextEncoder().encode("x");
  const request = { method: "POST", body, bytesMax: 1_000, deadlineMs } as const;
  return proxiedFetch(address, { url, isOperators: false }, filter, request);
}

async function failure(work: Promise<unknown>): Promise<SafeFetchError> {
  const thrown = await work.then(
    () => new Error("it worked"),
    (error: unknown) => error,
  );
  if (thrown instanceof SafeFetchError) return thrown;
  throw thrown;
}

describe("a call by a proxy", () => {
  const folder = perSuite((parts) => ({ path: parts.folder() }));

  /** What a process says that trusts the platform's certificate. */
  async function trusting(address: string, bytes: number): Promise<string> {
    const trusted = join(folder.path, "trusted.pem");
    writeFileSync(trusted, TEST_CERTIFICATE.cert);
    const caller = Bun.spawn(
      [
        process.execPath,
        "test/support/clients/proxied-caller.ts",
        address,
        proxy.url(USER),
        String(bytes),
      ],
      // Whom the environment excepts is not excepted from a proxy that was named.
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted, NO_PROXY: "platform.test" } },
    );
    return new Response(caller.stdout).text();
  }

  test.each([1, 3_000_000])("goes through its tunnel, with a body of %i bytes", async (bytes) => {
    expect(JSON.parse(await trusting(TARGET, bytes))).toEqual({
      asked: "/cgi-bin/draft/add?access_token=t0ken",
      ...{ bytes, isWhole: true, password: null },
    });
    expect(proxy.asked).toEqual(["CONNECT platform.test:443"]);
  });

  test("goes to a platform without a name, if the certificate is for that address", async () => {
    expect(JSON.parse(await trusting("https://8.8.8.8/x", 1))).toMatchObject({ asked: "/x" });
    for (const address of ["https://8.8.4.4/x", "https://another.test/x"]) {
      expect(await trusting(address, 1)).toMatch(/^unreachable false .*(ALTNAME|altnames)/);
    }
  });

  test.each([TARGET, "http://platform.test/x"])(
    "takes a password with a percent sign that encodes nothing, for %s",
    async (address) => {
      const error = await failure(call(address, proxy.url("me:100%")));
      expect(error).toMatchObject({ reason: "proxy", sent: false });
      expect(error.message).toContain("refused the call: 407");
    },
  );

  test("is asked for whole where the platform is not encrypted", async () => {
    const { bytes } = await call("http://platform.test/x", proxy.url(USER));
    expect(new TextDecoder().decode(bytes)).toBe('{"by":"proxy"}');
    expect(proxy.asked).toEqual(["POST http://platform.test/x"]);
  });

  test.each([TARGET, "http://platform.test/x"])(
    "says that the proxy wants another password, for %s",
    async (address) => {
      const error = await failure(call(address, proxy.url("me:wr0ng")));
      expect(error).toMatchObject({ reason: "proxy", sent: false });
      expect(error.message).toContain(`The proxy ${proxy.url()} refused the call: 407`);
      expect(error.message).not.toContain("wr0ng");
    },
  );

  test("says that the proxy does not let it out, or is not there", async () => {
    proxy.mood = "refusing";
    const refused = await failure(call(TARGET, proxy.url(USER)));
    expect(refused).toMatchObject({ reason: "proxy", sent: false });
    expect(refused.message).toContain("403");
    for (const address of [TARGET, "http://platform.test/x"]) {
      const gone = await failure(call(address, "http://127.0.0.1:1"));
      expect(gone).toMatchObject({ reason: "proxy", sent: false });
      expect(gone.message).toContain("http://127.0.0.1:1 could not be reached");
      const nameless = await failure(call(address, "http://proxy.invalid:3128"));
      expect(nameless).toMatchObject({ reason: "proxy", sent: false });
      expect(nameless.message).toContain("http://proxy.invalid:3128 could not be reached");
    }
  });

  test("does not wait for a proxy that hangs up with another protocol", async () => {
    const plain = await failure(call("http://platform.test/x", upgrading.url));
    expect(plain).toMatchObject({ reason: "broken", sent: true });
    const tunnel = await failure(call(TARGET, upgrading.url));
    expect(tunnel).toMatchObject({ reason: "proxy", sent: false });
  });

  test("leaves open what has happened where the connection breaks, or nothing comes", async () => {
    const plain = "http://platform.test/x";
    proxy.mood = "closing";
    const broken = await failure(call(plain, proxy.url(USER)));
    expect(broken).toMatchObject({ reason: "broken", sent: true });
    expect(broken.message).not.toMatch(/t0ken|p%3Aw|p:w/);
    proxy.mood = "silent";
    const slow = await failure(call(plain, proxy.url(USER), OPEN, 50));
    expect(slow).toMatchObject({ reason: "deadline", sent: true });
  });

  test("knows that nothing was sent where there never was a tunnel, or nobody to trust", async () => {
    proxy.mood = "closing";
    expect(await failure(call(TARGET, proxy.url(USER)))).toMatchObject({
      ...{ reason: "proxy", sent: false },
    });
    proxy.mood = "silent";
    const slow = await failure(call(TARGET, proxy.url(USER), OPEN, 50));
    expect(slow).toMatchObject({ reason: "proxy", sent: false });
    proxy.mood = "good";
    const untrusted = await failure(call(TARGET, proxy.url(USER)));
    expect(untrusted).toMatchObject({ reason: "unreachable", sent: false });
    expect(untrusted.message).toContain("SELF_SIGNED");
    const odd = await failure(call(TARGET, "socks5://127.0.0.1:1"));
    expect(odd).toMatchObject({ reason: "proxy", sent: false });
  });

  test("does not go inside: not to the proxy, and not to the platform", async () => {
    const inside = await failure(call(TARGET, proxy.url(USER), SHUT));
    expect(inside).toMatchObject({ reason: "proxy", sent: false });
    expect(inside.message).toContain("private network");
    const exempt: AddressFilter = { ...SHUT, isExempt: ({ origin }) => origin === proxy.url() };
    expect((await failure(call(TARGET, proxy.url(USER), exempt))).reason).toBe("proxy");
    // A name that leads inside is judged by where it leads, once.
    const lookup: AddressFilter["lookup"] = (_name, _options, done) =>
      done(null, [{ address: "10.0.0.1", family: 4 }]);
    const named = await failure(call(TARGET, "http://proxy.test:3128", { ...SHUT, lookup }));
    expect(named.message).toContain("private network");
    const metadata = await failure(call("http://169.254.169.254/x", proxy.url(USER)));
    expect(metadata).toMatchObject({ reason: "address_private", sent: false });
    expect(proxy.asked).toEqual([]);
  });
});
