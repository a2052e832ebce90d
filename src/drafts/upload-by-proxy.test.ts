import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { perFile } from "../../test/support/houses/house.ts";
import { ForwardProxy } from "../../test/support/outside/forward-proxy.ts";
import { TEST_CERTIFICATE } from "../../test/support/samples/test-certificate.ts";

/** Takes pictures as the real platform does, and tells what has come. */
function openPlatform() {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: TEST_CERTIFICATE,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const media = (await request.formData()).get("media");
      if (!(media instanceof File)) return Response.json({ errcode: 41005, errmsg: "no media" });
      const bytes = new Uint8Array(await media.arrayBuffer());
      return Response.json({
        asked: pathname + search,
        ...{ name: media.name, type: media.type, bytes: bytes.length },
        isWhole: bytes.every((byte) => byte === 7),
        password: request.headers.get("proxy-authorization"),
      });
    },
  });
}

const house = await perFile(async (parts) => {
  const platform = parts.adopt(openPlatform(), (server) => server.stop(true));
  const proxy = parts.keep(await new ForwardProxy(platform.port ?? 0, "me:pr0xy-pw").listen());
  const trusted = join(parts.folder(), "trusted.pem");
  writeFileSync(trusted, TEST_CERTIFICATE.cert);
  return { proxy, trusted };
});

test.each([1, 3_000_000])("a picture of %i bytes goes whole through a tunnel", async (bytes) => {
  const { proxy, trusted } = house;
  proxy.asked.length = 0;
  const script = "test/support/clients/proxied-upload.ts";
  const caller = Bun.spawn(
    [process.execPath, script, "https://platform.test", proxy.url("me:pr0xy-pw"), String(bytes)],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted } },
  );
  expect(JSON.parse(await new Response(caller.stdout).text())).toMatchObject({
    kind: "ok",
    value: {
      asked: "/cgi-bin/media/uploadimg?access_token=t0ken",
      ...{ name: "picture.png", type: "image/png", bytes, isWhole: true, password: null },
    },
  });
  expect(proxy.asked).toEqual(["CONNECT platform.test:443"]);
});
