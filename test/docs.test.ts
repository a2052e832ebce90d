import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "../src/config.ts";
import { FAULTS } from "../src/lib/faults.ts";

/** The text of a page, the space that aligns its tables folded. */
const page = async (name: string) => {
  const text = await Bun.file(join(import.meta.dir, "..", "docs", name)).text();
  return text.replace(/ +/g, " ");
};

describe("docs", () => {
  test("errors.md names every error with its status and type", async () => {
    const rows = (await page("errors.md")).split("\n").filter((line) => line.startsWith("| "));
    for (const [name, row] of Object.entries(FAULTS)) {
      const code = "code" in row ? row.code : name;
      const line = rows.find(
        (text) => text.includes(`\`${code}\``) && text.includes(`\`${row.type}\``),
      );
      expect({ name, status: line?.split("|")[1]?.trim() }).toEqual({
        name,
        status: String(row.status),
      });
    }
  });

  test("settings.md names every limit with its default", async () => {
    const text = await page("settings.md");
    for (const [name, value] of Object.entries(readConfig({}).limits)) {
      const row = `| \`FAREGATE_${name.toUpperCase()}\` | ${value.toLocaleString("en-US")} |`;
      expect(text).toContain(row);
    }
  });
});
