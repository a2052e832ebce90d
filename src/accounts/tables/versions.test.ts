import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { ACCOUNTS_TABLES } from "./versions.ts";

test("who made the keys of before is told from the audit log", () => {
  const db = new Database(":memory:");
  const { versions } = ACCOUNTS_TABLES;
  for (const text of versions.slice(0, 2)) db.run(text);
  const actions = [
    ["aud_1", "usr_ann", "key.create", "key_1"],
    ["aud_2", "usr_bob", "key.change", "key_1"],
    ["aud_3", null, "key.create", "key_of_a_token"],
  ] as const;
  for (const [id, userId, action, target] of actions) {
    db.run(
      `insert into audit (id, created_at, user_id, actor, action, target, detail)
       values (?, 1, ?, 'x', ?, ?, '{}')`,
      [id, userId, action, target],
    );
  }
  for (const text of versions.slice(2)) db.run(text);
  expect(db.query("select * from key_makers").all()).toEqual([
    { key_id: "key_1", user_id: "usr_ann" },
  ]);
});
