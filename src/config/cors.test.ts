import { expect, test } from "bun:test";
import { ConfigError, readConfig } from "./config.ts";

const cors = (text?: string) => readConfig({ FAREGATE_CORS: text }).cors;

test("every page may call unless somebody says otherwise", () => {
  expect(cors()).toEqual({ any: true, origins: [] });
  expect(cors("")).toEqual({ any: true, origins: [] });
  expect(cors("*")).toEqual({ any: true, origins: [] });
  expect(cors("off")).toEqual({ any: false, origins: [] });
});

test("a list is of origins as browsers write them", () => {
  expect(
    cors(
      "https://App.example.com:443, http://localhost:3000 app://obsidian.md https://app.example.com",
    ),
  ).toEqual({
    any: false,
    origins: ["https://app.example.com", "http://localhost:3000", "app://obsidian.md"],
  });
});

test.each([
  "https://app.example.com/",
  "https://app.example.com/page",
  "app.example.com",
  "*,https://app.example.com",
  "off https://app.example.com",
  "https://*.example.com",
  "https://user@example.com",
  "https://[",
  "null",
])("%s is none", (text) => {
  expect(() => cors(text)).toThrow(ConfigError);
  expect(() => cors(text)).toThrow("FAREGATE_CORS");
});
