import { afterEach, describe, expect, test } from "bun:test";
import { OWN_CERTIFICATE } from "../../test/support/samples/vendor-certificates.ts";
import { RawVendor } from "../../test/support/vendors/raw-vendor.ts";
import { Reach } from "./reach.ts";

const LONG_MS = 60_000;

const vendors: RawVendor[] = [];
afterEach(async () => {
  for (const vendor of vendors.splice(0)) await vendor.stop();
});

async function vendorWith(options: Parameters<typeof RawVendor.start>[1]): Promise<RawVendor> {
  const vendor = await RawVendor.start(() => {}, options);
  vendors.push(vendor);
  return vendor;
}

/** Takes connections and says nothing. */
const mute = () => vendorWith({ connected: () => {} });

describe("a vendor is reached", () => {
  test("once it takes connections", async () => {
    const { origin } = await mute();
    await new Reach(origin).prove(LONG_MS);
  });

  test.each(["localhost", "127.0.0.1"])("over TLS once hands are shaken: %s", async (host) => {
    const { port } = await vendorWith({ certificate: OWN_CERTIFICATE });
    await new Reach(`https://${host}:${port}`).prove(LONG_MS);
  });

  test("as far as this goes where it refuses connections: the call will hear it", async () => {
    const vendor = await RawVendor.start(() => {});
    const { origin, port } = vendor;
    await vendor.stop();
    await new Reach(origin).prove(LONG_MS);
    await new Reach(`https://localhost:${port}`).prove(LONG_MS);
  });
});

test("a vendor that takes connections and does not shake hands is not reached", async () => {
  const { port } = await mute();
  const proof = new Reach(`https://localhost:${port}`).prove(50);
  await expect(proof).rejects.toThrow("could not be reached within 50 ms");
});

test("calls at once have one proof, and later ones another", async () => {
  const { origin } = await mute();
  const reach = new Reach(origin);
  const first = reach.prove(LONG_MS);
  expect(reach.prove(LONG_MS)).toBe(first);
  await first;
  const second = reach.prove(LONG_MS);
  expect(second).not.toBe(first);
  await second;
});
