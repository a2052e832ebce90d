// The operator's proxy: whom it is for, and that nobody else's address is called by it.
import { expect, test } from "bun:test";
import { draftsServer } from "../../test/support/houses/drafts-server.ts";
import { perFile } from "../../test/support/houses/house.ts";
import { ForwardProxy } from "../../test/support/outside/forward-proxy.ts";
import type { JsonObject } from "../../test/support/samples/wires.ts";

const house = await perFile(async (parts) => {
  const proxy = parts.keep(await new ForwardProxy(1, "out:pr0xy-pw").listen());
  proxy.mood = "refusing";
  const settings = {
    HTTPS_PROXY: proxy.url("out:pr0xy-pw"),
    NO_PROXY: "sh.api.weixin.qq.com,127.0.0.1",
    FAREGATE_PLATFORM_URL: "https://relay.invalid",
  };
  return { ...(await draftsServer(parts, settings)), proxy };
});

let names = 0;

/** What the doctor finds first of an account at this address, and what the proxy was asked. */
async function examined(place: object) {
  const { proxy } = house;
  proxy.asked.length = 0;
  names += 1;
  const form = { name: `at${names}`, appid: "wx1", secret: "s3cret", is_default: false };
  const { id } = await house.made<JsonObject>("/wechat/accounts", { ...form, ...place });
  const diagnosis = await house.made<JsonObject>(`/wechat/accounts/${id}:doctor`, {});
  expect(JSON.stringify(diagnosis)).not.toMatch(/pr0xy-pw|s3cret/);
  const [first] = diagnosis.findings as JsonObject[];
  return { first, asked: [...proxy.asked] };
}

test.each([
  ["the real platform", { platform_url: "https://api.weixin.qq.com" }, "api.weixin.qq.com"],
  ["another address of it", { platform_url: "https://api2.weixin.qq.com" }, "api2.weixin.qq.com"],
  ["the installation's own choice", {}, "relay.invalid"],
])("%s is called by it", async (_, place, host) => {
  const { first, asked } = await examined(place);
  expect(asked).toEqual([`CONNECT ${host}:443`]);
  expect(first).toMatchObject({ check: "proxy", state: "failed" });
  expect(first?.message).toContain("403");
});

test.each([
  ["an address that an owner chose", "https://inside.invalid"],
  ["a name that only looks like the platform's", "https://weixin.qq.com.invalid"],
])("%s is not", async (_, platform_url) => {
  const { first, asked } = await examined({ platform_url });
  expect(asked).toEqual([]);
  expect(first?.check).toBe("credential");
});

test("an account's own proxy inside of the network is refused, and the operator's is not used", async () => {
  const { first, asked } = await examined({
    platform_url: "https://api.weixin.qq.com",
    proxy_url: house.proxy.url(),
  });
  expect(asked).toEqual([]);
  expect(first).toMatchObject({ check: "proxy", state: "failed" });
  expect(first?.message).toContain("private network");
});
