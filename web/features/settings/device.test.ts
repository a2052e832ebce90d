import { expect, test } from "bun:test";
import { deviceOf } from "./device.ts";

const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)";
const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15";

test("a browser is called by its own name, not by its ancestors'", () => {
  expect(deviceOf(`${MAC} Chrome/140.0 Safari/537.36`)).toEqual({
    browser: "Chrome",
    system: "macOS",
  });
  expect(deviceOf(`${MAC} Chrome/140.0 Safari/537.36 Edg/140.0`).browser).toBe("Edge");
  expect(deviceOf(`${PHONE} Version/18.1 Mobile/15E148 Safari/604.1`)).toEqual({
    browser: "Safari",
    system: "iOS",
  });
});

test("what is not known is not guessed", () => {
  expect(deviceOf("curl/8.5.0")).toEqual({ browser: "curl" });
  expect(deviceOf(null)).toEqual({});
});
