import { describe, expect, test } from "bun:test";
import { REAL_PLATFORM, readDrafts } from "./drafts.ts";
import { ConfigError } from "./members.ts";

const NO_PROXIES = { https: undefined, http: undefined, except: [] };

describe("settings of drafts", () => {
  test("are careful by default", () => {
    const expected = {
      platformUrl: REAL_PLATFORM,
      publish: false,
      privateNetworks: false,
      proxies: NO_PROXIES,
    };
    expect(readDrafts({})).toEqual(expected);
    expect(readDrafts({ FAREGATE_PLATFORM_URL: "" })).toEqual(expected);
    const builtIn = { ...expected, platformUrl: null };
    expect(readDrafts({ FAREGATE_PLATFORM_URL: "built-in" })).toEqual(builtIn);
  });

  test("are read", () => {
    const env = {
      FAREGATE_PLATFORM_URL: "https://relay.example.com/",
      HTTPS_PROXY: "http://out.test:3128",
      FAREGATE_DRAFTS_PUBLISH: "on",
      FAREGATE_DRAFTS_PRIVATE_NETWORKS: "on",
    };
    expect(readDrafts(env)).toEqual({
      platformUrl: "https://relay.example.com",
      proxies: { ...NO_PROXIES, https: "http://out.test:3128/" },
      publish: true,
      privateNetworks: true,
    });
  });

  test("what cannot be understood stops the start", () => {
    const odd = [
      "https://x/?token=1",
      "https://x?",
      "https://x/#",
      "https://x/#a",
      "https://:pw@x",
    ];
    for (const url of ["api.weixin.qq.com", "ftp://x", "https://me@x", ...odd]) {
      expect(() => readDrafts({ FAREGATE_PLATFORM_URL: url })).toThrow(
        "FAREGATE_PLATFORM_URL is not an address",
      );
    }
    const proxies = [
      ...["http://u:p#w@out.test:3128", "http://u:1#w@out.test:3128", "http://u:1/w@out.test:3128"],
      ...["http://proxy:port", "http://u:1?w@out.test", "http://"],
    ];
    for (const name of ["HTTPS_PROXY", "http_proxy"]) {
      for (const url of proxies) {
        const start = () => readDrafts({ [name]: url });
        // The password is not told.
        expect(start).toThrow(
          new ConfigError(
            `${name} is not the address of a proxy; write it as http://name:password@host:port, ` +
              "with signs like # / ? @ in the password as %23, %2F, %3F, %40.",
          ),
        );
      }
    }
    expect(() => readDrafts({ FAREGATE_DRAFTS_PUBLISH: "yes" })).toThrow(
      'FAREGATE_DRAFTS_PUBLISH is "yes"',
    );
  });
});
