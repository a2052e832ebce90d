import { describe, expect, test } from "bun:test";
import { readPlatform } from "./platform.ts";

describe("the settings of the platform", () => {
  test("are on, by the document, with controls on this machine only", () => {
    expect(readPlatform({}, "127.0.0.1")).toEqual({ on: true, profile: "doc", controls: true });
    expect(readPlatform({}, "::1").controls).toBe(true);
    expect(readPlatform({}, "localhost").controls).toBe(true);
    expect(readPlatform({}, "0.0.0.0").controls).toBe(false);
    expect(readPlatform({}, "gate.example.com").controls).toBe(false);
  });

  test("can be set", () => {
    const env = {
      FAREGATE_PLATFORM: "off",
      FAREGATE_PLATFORM_PROFILE: "live",
      FAREGATE_PLATFORM_CONTROLS: "on",
    };
    expect(readPlatform(env, "0.0.0.0")).toEqual({ on: false, profile: "live", controls: true });
    expect(readPlatform({ FAREGATE_PLATFORM_CONTROLS: "off" }, "127.0.0.1").controls).toBe(false);
  });

  test("name the variable that cannot be understood", () => {
    expect(() => readPlatform({ FAREGATE_PLATFORM_PROFILE: "loose" }, "::1")).toThrow(
      'FAREGATE_PLATFORM_PROFILE is "loose"; it must be one of doc, live, lenient.',
    );
  });
});
