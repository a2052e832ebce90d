import { describe, expect, test } from "bun:test";
import {
  changesTarget,
  channelChange,
  checkChannel,
  EMPTY_CHANNEL,
  fieldOf,
  modelsText,
  newChannel,
  readModels,
} from "./channel-form.ts";
import { exactError, needsSomebody, shownState } from "./channel-health.ts";

const t = ((key: string) => key) as never;

describe("the form of a channel", () => {
  test("says only what was typed, and takes several keys at once", () => {
    const values = { ...EMPTY_CHANNEL, keys: "sk-one\n sk-two,sk-three " };
    expect(newChannel(values)).toEqual({
      vendor: "openai",
      keys: ["sk-one", "sk-two", "sk-three"],
    });
  });

  test("names a protocol only for a vendor that is not known", () => {
    const values = {
      ...EMPTY_CHANNEL,
      protocols: "messages",
      base_url: "https://a.example",
    } as const;
    expect(newChannel(values)).not.toHaveProperty("protocols");
    expect(newChannel({ ...values, vendor: "custom" })).toMatchObject({ protocols: ["messages"] });
  });

  test("is tried again only where a change leads elsewhere", () => {
    const elsewhere = (change: object) =>
      changesTarget(EMPTY_CHANNEL, { ...EMPTY_CHANNEL, ...change });
    for (const change of [{ name: "x" }, { priority: "3" }, { weight: "2" }]) {
      expect(elsewhere(change)).toBe(false);
    }
    for (const change of [
      { keys: "k" },
      { removed: ["a1b2"] },
      { base_url: "x" },
      { models: "m" },
    ]) {
      expect(elsewhere(change)).toBe(true);
    }
  });

  test("changes what is another, and leaves alone what it does not speak of", () => {
    const before = { ...EMPTY_CHANNEL, base_url: "https://a.example", models: "a, b", weight: "2" };
    const change = (said: object) => channelChange(before, { ...before, ...said });
    expect(change({ name: " Main ", priority: "-5" })).toEqual({ name: "Main", priority: -5 });
    expect(change({ base_url: " ", weight: "", models: "a b" })).toEqual({
      base_url: null,
      weight: null,
    });
    expect(change({ keys: "sk-new", removed: ["a1b2"] })).toEqual({
      add_keys: ["sk-new"],
      remove_keys: ["a1b2"],
    });
  });

  test("asks for a key and an address where the vendor needs them", () => {
    expect(checkChannel(EMPTY_CHANNEL, t)).toEqual({ keys: "errors.required" });
    expect(checkChannel(EMPTY_CHANNEL, t, true)).toEqual({});
    expect(checkChannel({ ...EMPTY_CHANNEL, vendor: "ollama" }, t)).toEqual({});
    expect(checkChannel({ ...EMPTY_CHANNEL, vendor: "custom" }, t)).toEqual({
      base_url: "errors.required",
    });
    const wrong = { ...EMPTY_CHANNEL, base_url: "ftp://a", priority: "1.5", weight: "0" };
    expect(Object.keys(checkChannel(wrong, t, true))).toEqual(["base_url", "priority", "weight"]);
  });

  test.each([
    ["", null, ""],
    ["fetch", "fetch", "fetch"],
    ["a, b", ["a", "b"], "a, b"],
    ["a=deploy=1 b", { a: "deploy=1", b: "b" }, "a=deploy=1, b"],
  ] as const)("reads the models %p and writes them back", (typed, models, written) => {
    expect(readModels(typed)).toEqual(models);
    expect(modelsText(models ?? "vendor")).toBe(written);
  });

  test("places refusals of keys at their field", () => {
    expect(["add_keys", "keys[0]", "base_url"].map(fieldOf)).toEqual(["keys", "keys", "base_url"]);
  });
});

describe("the health of a channel", () => {
  test("is off where somebody switched it off, but broken in any case", () => {
    expect(shownState({ state: "refused", enabled: false })).toBe("off");
    expect(shownState({ state: "broken", enabled: false })).toBe("broken");
    expect(needsSomebody({ state: "refused", enabled: true })).toBe(true);
    expect(needsSomebody({ state: "cooled", enabled: true })).toBe(false);
  });

  test("tells the words of the key that was refused before the last error", () => {
    const last_error = { at: "", kind: "vendor", status: 500, message: "later" } as const;
    const key = { last_four: "a1b2", cooled_until: null };
    const refused = { ...key, state: "refused", message: "Incorrect API key" } as const;
    const fine = { ...key, state: "ok", message: null } as const;
    expect(exactError({ problem: null, keys: [fine, refused], last_error })).toBe(
      "Incorrect API key",
    );
    expect(exactError({ problem: null, keys: [fine], last_error })).toBe("later");
    expect(exactError({ problem: "sealed", keys: [], last_error: null })).toBe("sealed");
  });
});
