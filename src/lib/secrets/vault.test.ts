import { describe, expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Parts } from "../../../test/support/houses/house.ts";
import { createVault, openVault } from "./vault.ts";

describe("the vault", () => {
  test("gives back what was sealed, and seals differently each time", () => {
    const vault = createVault("a secret of an installation");
    const sealed = vault.seal("sk-vendor-äöü-密钥");
    expect(sealed).not.toContain("vendor");
    expect(vault.seal("sk-vendor-äöü-密钥")).not.toBe(sealed);
    expect(vault.open(sealed)).toBe("sk-vendor-äöü-密钥");
    expect(vault.open(vault.seal(""))).toBe("");
  });

  test("refuses what was changed, cut short, or sealed with another secret", () => {
    const vault = createVault("one");
    const sealed = vault.seal("text");
    const last = sealed.at(-3) === "A" ? "B" : "A";
    expect(() => vault.open(`${sealed.slice(0, -3)}${last}${sealed.slice(-2)}`)).toThrow(/opened/);
    expect(() => vault.open(sealed.slice(0, 20))).toThrow(/not sealed/);
    expect(() => vault.open("plain text")).toThrow(/not sealed/);
    expect(() => createVault("two").open(sealed)).toThrow(/FAREGATE_SECRET/);
  });

  test("derives one secret for each purpose", () => {
    const vault = createVault("one");
    expect(vault.derive("sessions")).toBe(createVault("one").derive("sessions"));
    expect(vault.derive("sessions")).not.toBe(vault.derive("webhooks"));
    expect(vault.derive("sessions")).not.toBe(createVault("two").derive("sessions"));
  });

  test("keeps its own secret in a file for its owner alone, made once", async () => {
    await using parts = new Parts();
    const folder = join(parts.folder(), "data");
    const sealed = openVault(undefined, folder).seal("kept");
    expect(openVault(undefined, folder).open(sealed)).toBe("kept");
    const file = join(folder, "secret.key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, "another");
    expect(() => openVault(undefined, folder).open(sealed)).toThrow();
  });
});
