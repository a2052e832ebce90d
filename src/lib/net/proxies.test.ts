import { expect, test } from "bun:test";
import { proxyFor, readProxies } from "./proxies.ts";

const REAL = "https://api.weixin.qq.com/cgi-bin/token";

test("are read from either spelling, with or without a scheme", () => {
  expect(readProxies({})).toEqual({ https: undefined, http: undefined, except: [] });
  const env = { https_proxy: "http://me:pw@out.test:3128", HTTP_PROXY: "out.test:8080" };
  expect(readProxies(env)).toEqual({
    https: "http://me:pw@out.test:3128/",
    http: "http://out.test:8080/",
    except: [],
  });
  // It is not left aside in silence: a call by it says that this kind is not known.
  expect(readProxies({ HTTPS_PROXY: "socks5://out.test" }).https).toBe("socks5://out.test");
});

test("are for the scheme of the address", () => {
  const proxies = readProxies({ HTTPS_PROXY: "http://s.test", HTTP_PROXY: "http://p.test" });
  expect(proxyFor(REAL, proxies)).toBe("http://s.test/");
  expect(proxyFor("http://plain.test/", proxies)).toBe("http://p.test/");
  expect(proxyFor(REAL, readProxies({ HTTP_PROXY: "http://p.test" }))).toBeUndefined();
});

test.each(["http://127.0.0.1:9000/x", "https://localhost/x", "http://[::1]/x"])(
  "are not for %s, which is on this machine",
  (address) => {
    const proxies = readProxies({ HTTPS_PROXY: "http://s.test", HTTP_PROXY: "http://p.test" });
    expect(proxyFor(address, proxies)).toBeUndefined();
  },
);

test.each([
  ["", true],
  ["*", false],
  ["api.weixin.qq.com", false],
  ["weixin.qq.com", false],
  [".qq.com", false],
  ["*.qq.com", false],
  ["other.test, API.weixin.qq.com", false],
  ["api.weixin.qq.com:443", false],
  ["api.weixin.qq.com:8443", true],
  ["in.qq.com", true],
  ["q.com", true],
])("NO_PROXY=%s leaves the platform to it: %p", (list, isProxied) => {
  const proxies = readProxies({ HTTPS_PROXY: "http://s.test", NO_PROXY: list });
  expect(proxyFor(REAL, proxies) !== undefined).toBe(isProxied);
});
