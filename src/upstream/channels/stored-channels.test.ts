import { describe, expect, test } from "bun:test";
import { createVault } from "../../lib/secrets/vault.ts";
import { editChannel, openStored, writeChannel } from "./stored-channels.ts";

const vault = createVault("a secret of the tests that is long enough");
const WORDS = {
  id: "mine",
  vendor: "custom",
  base_url: "http://127.0.0.1:9/v1",
  keys: ["first-key-1111", "second-key-2222"],
  headers: { "x-team": "token-3333" },
};
const NO_EDIT = { words: {}, addKeys: [], removeKeys: [] };

describe("a channel that is kept", () => {
  const { parts, settings } = writeChannel(WORDS, vault);

  test("comes back as it was, and nothing secret can be read of it", () => {
    expect(openStored(parts, vault)).toEqual(settings);
    expect(settings).toMatchObject({ id: "mine", keys: WORDS.keys, headers: WORDS.headers });
    const kept = JSON.stringify(parts);
    const secrets = [...WORDS.keys, ...Object.values(WORDS.headers)];
    for (const secret of secrets) expect(kept).not.toContain(secret.slice(0, -4));
  });

  test("cannot be opened by another secret", () => {
    const other = createVault("another secret of the tests, as long as it");
    expect(() => openStored(parts, other)).toThrow();
  });

  test("keeps what an edit does not name", () => {
    const edited = editChannel(parts, { ...NO_EDIT, words: { weight: 3 } }, vault);
    expect(edited.settings).toEqual({ ...settings, weight: 3 });
    expect(openStored(edited.parts, vault)).toEqual(edited.settings);
  });

  test("gets and loses keys one by one, or all at once", () => {
    const edit = { words: {}, addKeys: ["third-key-4444"], removeKeys: ["1111"] };
    const { settings: changed } = editChannel(parts, edit, vault);
    expect(changed.keys).toEqual(["second-key-2222", "third-key-4444"]);
    const all = { ...NO_EDIT, words: { keys: ["only-key-5555"] } };
    expect(editChannel(parts, all, vault).settings.keys).toEqual(["only-key-5555"]);
  });

  test("takes nothing secret to another server that the edit does not name", () => {
    const there = { base_url: "http://127.0.0.1:10/v1" };
    const edited = (words: Record<string, unknown>) =>
      editChannel(parts, { ...NO_EDIT, words }, vault).settings;
    expect(() => edited(there)).toThrow(
      "channel.keys of http://127.0.0.1:9 are not sent to http://127.0.0.1:10",
    );
    expect(() => edited({ ...there, keys: ["k"] })).toThrow("channel.headers of");
    expect(() => edited({ vendor: "openai", base_url: null, headers: null })).toThrow(
      "channel.keys of http://127.0.0.1:9 are not sent to openai",
    );
    expect(edited({ ...there, keys: ["k"], headers: { a: "b" } }).keys).toEqual(["k"]);
    expect(edited({ base_url: "http://127.0.0.1:9/v2" }).keys).toEqual(WORDS.keys);
  });

  test("loses what is null", () => {
    const { settings: changed } = editChannel(
      parts,
      { ...NO_EDIT, words: { headers: null } },
      vault,
    );
    expect(changed.headers).toEqual({});
    const bare = { ...NO_EDIT, words: { base_url: null } };
    expect(() => editChannel(parts, bare, vault)).toThrow("channel.base_url is missing");
  });
});
