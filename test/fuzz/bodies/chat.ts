import {
  deepList,
  deepSchema,
  type HostileBody,
  type Json,
  lists,
  many,
  members,
  schema,
  texts,
  user,
} from "./making.ts";

export function chatBodies(): HostileBody[] {
  const model = "m";
  const base = (more: Json) => ({ model, messages: [user("hi")], ...more });
  const tool = (name: string) => ({ type: "function", function: schema(name) });
  const call = (i: number) => ({
    id: `c${i}`,
    type: "function",
    function: { name: "f", arguments: "{}" },
  });
  const listFormat = (items: Json, x: Json) => {
    const list = { type: "array", minItems: 1_000, items };
    const schema = { required: ["list"], properties: { list }, $defs: { x } };
    return { response_format: { type: "json_schema", json_schema: { name: "x", schema } } };
  };
  return [
    ...texts((text) => ({ model, messages: [user(text)] })),
    ...texts((text) => base({ tools: [tool(text)] })).slice(0, 4),
    ...lists({
      messages: (bytes) => ({ model, messages: many(bytes, (i) => user(`x${i}`)) }),
      "messages of the system": (bytes) => ({
        model,
        messages: [
          ...many(bytes, (i) => ({ role: i % 2 ? "system" : "developer", content: "x" })),
          user("x"),
        ],
      }),
      parts: (bytes) => ({
        model,
        messages: [user(many(bytes, (i) => ({ type: "text", text: `x${i}` })))],
      }),
      tools: (bytes) => base({ tools: many(bytes, (i) => tool(`f${i}`)) }),
      "tools of one name": (bytes) => base({ tools: many(bytes, () => tool("f")) }),
      "tools of free text": (bytes) =>
        base({ tools: many(bytes, (i) => ({ type: "custom", custom: { name: `f${i}` } })) }),
      "tools that a vendor runs": (bytes) =>
        base({ tools: many(bytes, (i) => ({ type: `hosted_${i}` })) }),
      "tools to choose from": (bytes) =>
        base({
          tools: many(bytes / 2, (i) => tool(`f${i}`)),
          tool_choice: {
            type: "allowed_tools",
            allowed_tools: {
              mode: "auto",
              tools: many(bytes / 2, (i) => ({ type: "function", function: { name: `f${i}` } })),
            },
          },
        }),
      functions: (bytes) => base({ functions: many(bytes, (i) => schema(`f${i}`)) }),
      "calls and results": (bytes) => ({
        model,
        messages: [
          user("x"),
          { role: "assistant", content: null, tool_calls: many(bytes / 2, call) },
          ...many(bytes / 2, (i) => ({ role: "tool", tool_call_id: `c${i}`, content: "x" })),
        ],
      }),
      "calls one by one": (bytes) => ({
        model,
        messages: [
          user("x"),
          ...many(bytes / 2, (i) => ({ role: "assistant", content: "", tool_calls: [call(i)] })),
          ...many(bytes / 2, (i) => ({ role: "tool", tool_call_id: `c${i}`, content: "x" })),
        ],
      }),
      "calls of free text": (bytes) => ({
        model,
        messages: [
          user("x"),
          {
            role: "assistant",
            tool_calls: many(bytes, (i) => ({
              id: `c${i}`,
              type: "custom",
              custom: { name: "f", input: "x" },
            })),
          },
        ],
      }),
      "thoughts of calls": (bytes) => ({
        model,
        messages: [
          user("x"),
          {
            role: "assistant",
            tool_calls: many(bytes / 2, call),
            reasoning_details: many(bytes / 2, (i) => ({
              type: "reasoning.encrypted",
              data: "x",
              id: `c${i}`,
            })),
          },
        ],
      }),
      thoughts: (bytes) => ({
        model,
        messages: [
          user("x"),
          {
            role: "assistant",
            content: "x",
            reasoning_details: many(bytes, (i) => ({
              type: "reasoning.text",
              text: `x${i}`,
              index: i,
            })),
          },
        ],
      }),
      "addresses of pictures": (bytes) => ({
        model,
        messages: [
          user([
            { type: "image_url", image_url: { url: `data:image/png${";a".repeat(bytes / 2)}` } },
          ]),
        ],
      }),
      stops: (bytes) => base({ stop: many(bytes, (i) => `s${i}`) }),
      bias: (bytes) => base({ logit_bias: members(bytes) }),
      metadata: (bytes) => base({ metadata: members(bytes, "x") }),
      "unknown members": (bytes) => base(members(bytes)),
      "members of a schema": (bytes) =>
        base({
          tools: [
            {
              type: "function",
              function: { name: "f", parameters: { properties: members(bytes, {}) } },
            },
          ],
        }),
      "a deep schema": (bytes) =>
        base({
          tools: many(bytes, (i) => ({
            type: "function",
            function: { name: `f${i}`, parameters: deepSchema },
          })),
        }),
      "a deep format": () =>
        base({
          response_format: { type: "json_schema", json_schema: { name: "x", schema: deepSchema } },
        }),
      "members of the schema of every item": (bytes) =>
        base(listFormat({ $ref: "#/$defs/x" }, { properties: members(bytes) })),
      "a name in every item": (bytes) =>
        base(listFormat({ $ref: "#/$defs/x" }, { required: ["n".repeat(bytes)] })),
      "deep lists": () => base({ metadata: { a: deepList } }),
    }),
  ];
}
