import { describe, expect, test } from "bun:test";
import {
  count,
  limit,
  list,
  networks,
  optionalUsd,
  readArguments,
  required,
  text,
  UsageError,
  usd,
  wholeNumber,
  yesNo,
} from "./arguments.ts";

describe("readArguments", () => {
  test("separates words from options, with and without values", () => {
    expect(
      readArguments(["--account", "a1", "10.00", "--json"], ["account", "json?"]),
    ).toMatchObject({
      words: ["10.00"],
      options: { account: "a1", json: true },
    });
    expect(readArguments(["--name=x y"], ["name"]).options).toMatchObject({ name: "x y" });
  });

  test.each([[["--unknown", "x"]], [["--account"]], [["--json=yes"]]])("refuses %p", (argv) => {
    expect(() => readArguments(argv as string[], ["account", "json?"])).toThrow(UsageError);
  });
});

describe("values", () => {
  test.each([
    ["a whole number", () => wholeNumber({ rpm: "60" }, "rpm"), 60],
    ["zero", () => wholeNumber({ rpm: "0" }, "rpm"), 0],
    ["a limit", () => limit({ rpm: "0" }, "rpm"), 0],
    ["a count", () => count({ days: "1" }, "days"), 1],
    ["no number", () => wholeNumber({}, "rpm"), undefined],
    ["an amount", () => usd("1.50", "x"), 1_500_000_000n],
    ["a budget", () => optionalUsd({ budget: "2" }, "budget"), 2_000_000_000n],
    ["no budget", () => optionalUsd({ budget: "none" }, "budget"), null],
    ["a budget that is not said", () => optionalUsd({}, "budget"), undefined],
    ["a list", () => list({ models: "a, b" }, "models"), ["a", "b"]],
    ["no restriction", () => list({ models: "all" }, "models"), null],
    ["networks", () => networks({ networks: "10.0.0.0/8,::1" }, "networks"), ["10.0.0.0/8", "::1"]],
    ["yes", () => yesNo({ hard: "yes" }, "hard"), true],
    ["no", () => yesNo({ hard: "no" }, "hard"), false],
    ["a text", () => text({ name: "x" }, "name"), "x"],
    ["a flag where a text was meant", () => text({ name: true }, "name"), undefined],
    ["a required text", () => required({ name: "x" }, "name"), "x"],
  ])("%s", (_name, read, value) => {
    expect(read()).toEqual(value as string);
  });

  test.each([
    ["--rpm", () => wholeNumber({ rpm: "-1" }, "rpm")],
    ["--rpm", () => wholeNumber({ rpm: "1.5" }, "rpm")],
    ["--rpm", () => wholeNumber({ rpm: "9999999999" }, "rpm")],
    ["--rpm", () => limit({ rpm: "-1" }, "rpm")],
    ["--days", () => count({ days: "0" }, "days")],
    ["--days", () => count({ days: "x" }, "days")],
    ["the amount", () => usd("-5", "the amount")],
    ["the amount", () => usd("1e3", "the amount")],
    ["--budget", () => optionalUsd({ budget: "lots" }, "budget")],
    ["--models", () => list({ models: "a,,b" }, "models")],
    ["--models", () => list({ models: "" }, "models")],
    ["--networks", () => networks({ networks: "10.0.0.0/99" }, "networks")],
    ["--hard", () => yesNo({ hard: "true" }, "hard")],
    ["--name", () => required({}, "name")],
    ["--name", () => required({ name: "" }, "name")],
  ])("a wrong %s is named", (name, read) => {
    expect(read).toThrow(UsageError);
    expect(read).toThrow(name);
  });
});
