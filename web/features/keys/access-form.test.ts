import { describe, expect, test } from "bun:test";
import type { Key } from "../../../src/console/contract/keys.ts";
import { accessBody, accessValues } from "./access-form.ts";

const key = {
  expires_at: "2026-12-31T23:00:00.000Z",
  networks: ["10.0.0.0/8", "192.0.2.7"],
  hard: false,
  account_read: true,
  show_cost: true,
} as unknown as Key;
const zone = "Europe/Berlin";
const values = accessValues(key, zone);

describe("who may use a key, and until when", () => {
  test("is shown as the last day on which it works", () => {
    expect(values.expires_at).toBe("2026-12-31");
    expect(values.networks).toBe("10.0.0.0/8, 192.0.2.7");
  });

  test("ends with the chosen day, or never", () => {
    const day = accessBody({ ...values, expires_at: "2027-01-31" }, zone);
    expect(day.expires_at).toBe("2027-01-31T23:00:00.000Z");
    expect(accessBody({ ...values, expires_at: "" }, zone).expires_at).toBeNull();
  });

  test("is any address where the field is empty", () => {
    expect(accessBody({ ...values, networks: " , " }, zone).networks).toBeNull();
  });
});
