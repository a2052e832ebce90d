import {
  type HostileBody,
  type Json,
  lists,
  many,
  members,
  nested,
  texts,
  user,
} from "./making.ts";

export function messagesBodies(): HostileBody[] {
  const model = "m";
  const base = (more: Json) => ({ model, max_tokens: 5, messages: [user("hi")], ...more });
  const tool = (i: number) => ({ name: `f${i}`, input_schema: { type: "object" } });
  const use = (i: number) => ({ type: "tool_use", id: `c${i}`, name: "f", input: {} });
  return [
    ...texts((text) => base({ messages: [user(text)] })),
    ...lists({
      messages: (bytes) => base({ messages: many(bytes, (i) => user(`x${i}`)) }),
      blocks: (bytes) =>
        base({ messages: [user(many(bytes, (i) => ({ type: "text", text: `x${i}` })))] }),
      "blocks to be cached": (bytes) =>
        base({
          messages: [
            user(
              many(bytes, (i) => ({
                type: "text",
                text: `x${i}`,
                cache_control: { type: "ephemeral" },
              })),
            ),
          ],
        }),
      system: (bytes) => base({ system: many(bytes, (i) => ({ type: "text", text: `x${i}` })) }),
      tools: (bytes) => base({ tools: many(bytes, tool) }),
      "a strict schema": (bytes) => {
        const required = many(bytes * 0.4, (i) => `n${i}`);
        const properties = Object.fromEntries(required.map((name) => [name, 0]));
        const schema = { type: "object", properties, required: required.toReversed() };
        const format = { type: "json_schema", schema: { ...schema, additionalProperties: false } };
        return base({ output_config: { format } });
      },
      searches: (bytes) =>
        base({
          tools: many(bytes, (i) => ({
            type: "web_search_20250305",
            name: "web_search",
            max_uses: i + 1,
          })),
        }),
      "calls and results": (bytes) =>
        base({
          messages: [
            user("x"),
            { role: "assistant", content: many(bytes / 2, use) },
            user(
              many(bytes / 2, (i) => ({ type: "tool_result", tool_use_id: `c${i}`, content: "x" })),
            ),
          ],
        }),
      thoughts: (bytes) =>
        base({
          messages: [
            user("x"),
            {
              role: "assistant",
              content: many(bytes, (i) => ({
                type: "thinking",
                thinking: `x${i}`,
                signature: "s",
              })),
            },
            user("x"),
          ],
        }),
      "search results": (bytes) =>
        base({
          messages: [
            user("x"),
            {
              role: "assistant",
              content: many(bytes, (i) => ({
                type: "web_search_tool_result",
                tool_use_id: `s${i}`,
                content: [
                  {
                    type: "web_search_result",
                    url: "http://a",
                    title: "a",
                    encrypted_content: "x",
                  },
                ],
              })),
            },
            user("x"),
          ],
        }),
      stops: (bytes) => base({ stop_sequences: many(bytes, (i) => `s${i}`) }),
      "deep results": () =>
        base({
          messages: [
            user([
              nested(100, (value) => ({ type: "tool_result", tool_use_id: "c", content: [value] })),
            ]),
          ],
        }),
      "unknown members": (bytes) => base(members(bytes)),
    }),
  ];
}
