/** Column types of what is written from JSON, where they are not text. */
const TYPES: Readonly<Record<string, string>> = {
  amount: "bigint",
  input_cost: "bigint",
  stream: "smallint",
  created_at: "bigint",
  status: "integer",
  fresh: "bigint",
  cache_read: "bigint",
  cache_write: "bigint",
  cache_write_long: "bigint",
  output: "bigint",
  reasoning: "bigint",
  web_searches: "bigint",
  clamped: "smallint",
  cost: "bigint",
  held: "bigint",
  loss: "bigint",
  input_loss: "bigint",
  overage: "bigint",
  first_byte_ms: "bigint",
  duration_ms: "bigint",
  output_clamp: "bigint",
  more: "bigint",
  used: "bigint",
  running: "bigint",
  hour: "bigint",
  day: "bigint",
  requests: "bigint",
  failures: "bigint",
  second: "bigint",
  tokens: "bigint",
  last_at: "bigint",
  last_used_at: "bigint",
  base: "bigint",
  window_start: "bigint",
  resets_at: "bigint",
};

/** A parameter that holds a JSON list of objects, as a table. */
export function table(param: number, columns: readonly string[]): string {
  const typed = columns.map((column) => `${column} ${TYPES[column] ?? "text"}`).join(", ");
  return `json_to_recordset(($${param}::text)::json) as v (${typed})`;
}

/** A parameter that holds a JSON list of texts, as what a column may be any of. */
export function texts(param: number): string {
  return `any (array(select json_array_elements_text(($${param}::text)::json)))`;
}
