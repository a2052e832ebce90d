import { afterEach, describe, expect, test } from "bun:test";
import type { TLSSocket } from "node:tls";
import {
  GOOD_CERTIFICATE,
  OLD_CERTIFICATE,
  OTHERS_CERTIFICATE,
  OWN_CERTIFICATE,
  type ServerCertificate,
} from "../../../test/support/samples/vendor-certificates.ts";
import { type RawRequest, RawVendor } from "../../../test/support/vendors/raw-vendor.ts";
import {
  FETCH,
  outcomeOf,
  ownClient,
  ownTransport,
} from "../../../test/support/vendors/transports.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const DONE = { status: 200, text: "ok" };

const vendors: RawVendor[] = [];
afterEach(async () => {
  for (const vendor of vendors.splice(0)) await vendor.stop();
});

async function vendorWith(
  certificate: ServerCertificate,
  play: (request: RawRequest) => void = ({ socket }) => socket.write(OK),
): Promise<RawVendor> {
  const vendor = await RawVendor.start(play, { certificate });
  vendors.push(vendor);
  return vendor;
}

describe.each([ownTransport(), FETCH])("a vendor over TLS by $name", ({ post }) => {
  test("is called by its name, and its certificate is for it", async () => {
    const vendor = await vendorWith(GOOD_CERTIFICATE);
    expect(await outcomeOf(post(vendor.origin, "{}"))).toEqual(DONE);
    const socket = vendor.requests[0]?.socket as TLSSocket & { servername?: string };
    expect([socket.servername, socket.alpnProtocol]).toEqual(["localhost", "http/1.1"]);
  });

  test("is called by an address that its certificate is for", async () => {
    const vendor = await vendorWith(GOOD_CERTIFICATE);
    const origin = `https://127.0.0.1:${vendor.port}`;
    expect(await outcomeOf(post(origin, "{}"))).toEqual(DONE);
  });

  test.each([
    ["for another name", OTHERS_CERTIFICATE],
    ["that is over", OLD_CERTIFICATE],
    ["that it has made itself", OWN_CERTIFICATE],
  ])("with a certificate %s is not told a byte", async (_name, certificate) => {
    const vendor = await vendorWith(certificate);
    for (const host of ["localhost", "127.0.0.1"]) {
      const outcome = await outcomeOf(post(`https://${host}:${vendor.port}`, "{}"));
      expect(outcome).toHaveProperty("failed");
    }
    expect(vendor.requests).toEqual([]);
  });

  test("that speaks no TLS is not told a byte", async () => {
    const vendor = await RawVendor.start(() => {}, {
      connected: (socket) => socket.once("data", () => socket.end(OK)),
    });
    vendors.push(vendor);
    const origin = vendor.origin.replace("http:", "https:");
    expect(await outcomeOf(post(origin, "{}"))).toHaveProperty("failed");
    expect(vendor.requests).toEqual([]);
  });

  test("may end its answer with the connection", async () => {
    const vendor = await vendorWith(GOOD_CERTIFICATE, ({ socket }) =>
      socket.end("HTTP/1.1 200 OK\r\n\r\nok"),
    );
    expect(await outcomeOf(post(vendor.origin, "{}"))).toEqual(DONE);
  });

  test("may break off", async () => {
    const vendor = await vendorWith(GOOD_CERTIFICATE, ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok", () => socket.destroy());
    });
    expect(await outcomeOf(post(vendor.origin, "{}"))).toHaveProperty("failed");
  });
});

describe("our own client over TLS", () => {
  test("trusts whom the runtime trusts, and the authority of the tests is none of them", async () => {
    const vendor = await vendorWith(GOOD_CERTIFICATE);
    const { post } = ownTransport(ownClient({}, {}));
    expect(await outcomeOf(post(vendor.origin, "{}"))).toEqual({
      failed: "the vendor's certificate is not trusted: unable to verify the first certificate",
    });
    expect(vendor.requests).toEqual([]);
  });

  test("keeps connections", async () => {
    const vendor = await vendorWith(GOOD_CERTIFICATE);
    const { post } = ownTransport();
    for (let turn = 0; turn < 3; turn++) {
      expect(await outcomeOf(post(vendor.origin, "{}"))).toEqual(DONE);
    }
    expect(vendor.connections).toBe(1);
  });

  test("reads what comes a byte at a time", async () => {
    const vendor = await vendorWith(GOOD_CERTIFICATE, async ({ socket }) => {
      const bytes =
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n";
      for (const byte of bytes) {
        const { promise, resolve } = Promise.withResolvers<void>();
        socket.write(byte, () => resolve());
        await promise;
      }
    });
    expect(await outcomeOf(ownTransport().post(vendor.origin, "{}"))).toEqual(DONE);
  });
});
