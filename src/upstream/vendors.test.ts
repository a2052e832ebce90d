import { describe, expect, test } from "bun:test";
import { VENDOR_IDS } from "../config/file.ts";
import { VENDORS } from "./vendors.ts";

describe("the rows of vendors", () => {
  test("are those that the operator's file may name", () => {
    expect(VENDORS.map(({ id }) => id)).toEqual([...VENDOR_IDS]);
  });

  test.each(VENDORS.map((vendor) => [vendor.id, vendor] as const))("%s is whole", (_id, vendor) => {
    expect(vendor.keyVariables.length).toBeGreaterThan(0);
    const addresses = Object.values(vendor.protocols);
    expect(addresses.length).toBeGreaterThan(0);
    // A path is joined to them, so they end without a slash; keys go nowhere in the clear.
    for (const address of addresses) expect(address).toMatch(/^(?:https:\/\/[^?#]+|\/[^?#]*)[^/]$/);
    expect(vendor.modelsPath).toStartWith("/");
    if (vendor.mainProtocol) expect(vendor.protocols).toHaveProperty(vendor.mainProtocol);
    for (const endpoint of vendor.searches ?? []) expect(vendor.protocols).toHaveProperty(endpoint);
  });

  test("use no environment variable for two things", () => {
    const variables = VENDORS.flatMap(({ keyVariables, baseUrlVariable }) => [
      ...keyVariables,
      baseUrlVariable,
    ]);
    expect(new Set(variables).size).toBe(variables.length);
  });
});
