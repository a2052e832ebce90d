import type { BodyStore } from "../../conversations/store.ts";
import { BODIES_AT_ONCE, BODY_KEYS } from "../body-keys.ts";
import type { Connections } from "./connections.ts";

type Row = Readonly<Record<string, string>> & {
  readonly account_id: string;
  readonly body: Uint8Array;
};

/** All bodies that are kept, for whoever seals them anew. */
export function bodiesIn(connections: Pick<Connections, "read" | "transaction">): BodyStore {
  return {
    async bodies(table, after) {
      const keys = BODY_KEYS[table];
      const names = keys.join(", ");
      const places = keys.map((_, i) => `$${i + 1}`).join(", ");
      const behind = after ? `and (${names}) > (${places})` : "";
      const text = `select ${names}, account_id, body from ${table} where body is not null ${behind}
        order by ${names} limit ${BODIES_AT_ONCE}`;
      const rows = await connections.read<Row>(text, after ?? []);
      return rows.map((row) => ({
        name: keys.map((key) => String(row[key])),
        accountId: row.account_id,
        body: row.body,
      }));
    },

    async replaceBodies(table, bodies) {
      const named = BODY_KEYS[table].map((key, i) => `${key} = $${i + 3}`).join(" and ");
      const text = `update ${table} set body = $1, bytes = $2 where ${named} and body is not null`;
      await connections.transaction(async (run) => {
        for (const { name, body } of bodies) await run(text, [body, body.byteLength, ...name]);
      });
    },
  };
}
