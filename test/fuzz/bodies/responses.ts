import {
  type HostileBody,
  type Json,
  lists,
  many,
  members,
  nested,
  schema,
  texts,
  user,
} from "./making.ts";

export function responsesBodies(): HostileBody[] {
  const model = "m";
  const base = (more: Json) => ({ model, input: "hi", ...more });
  const tool = (i: number) => ({ type: "function", ...schema(`f${i}`) });
  return [
    ...texts((text) => ({ model, input: text })),
    ...lists({
      items: (bytes) => ({ model, input: many(bytes, (i) => user(`x${i}`)) }),
      "items of tools": (bytes) => ({
        model,
        input: [
          ...many(bytes, (i) => ({
            type: "additional_tools",
            role: "developer",
            tools: [tool(i)],
          })),
          user("x"),
        ],
      }),
      "calls and results": (bytes) => ({
        model,
        input: [
          user("x"),
          ...many(bytes / 2, (i) => ({
            type: "function_call",
            call_id: `c${i}`,
            name: "f",
            arguments: "{}",
          })),
          ...many(bytes / 2, (i) => ({
            type: "function_call_output",
            call_id: `c${i}`,
            output: "x",
          })),
        ],
      }),
      "results in the other order": (bytes) => ({
        model,
        input: [
          user("x"),
          ...many(bytes / 2, (i) => ({
            type: "function_call",
            call_id: `c${i}`,
            name: "f",
            arguments: "{}",
          })),
          ...many(bytes / 2, (i) => ({
            type: "function_call_output",
            call_id: `c${i}`,
            output: "x",
          })).reverse(),
        ],
      }),
      thoughts: (bytes) => ({
        model,
        input: [
          ...many(bytes, (i) => ({
            type: "reasoning",
            id: `r${i}`,
            summary: [],
            encrypted_content: "x",
          })),
          user("x"),
        ],
      }),
      references: (bytes) => ({
        model,
        input: many(bytes, (i) => ({ type: "item_reference", id: `i${i}` })),
      }),
      tools: (bytes) => base({ tools: many(bytes, tool) }),
      "tools that a vendor runs": (bytes) =>
        base({ tools: many(bytes, (i) => ({ type: `hosted_${i}` })) }),
      "tools in a group": (bytes) =>
        base({ tools: [{ type: "namespace", name: "n", tools: many(bytes, tool) }] }),
      "groups of tools": (bytes) =>
        base({
          tools: many(bytes, (i) => ({ type: "namespace", name: `n${i}`, tools: [tool(i)] })),
        }),
      "groups to choose from": (bytes) =>
        base({
          tools: many(bytes / 2, (i) => ({ type: "namespace", name: `n${i}`, tools: [tool(i)] })),
          tool_choice: {
            type: "allowed_tools",
            mode: "auto",
            tools: many(bytes / 2, (i) => ({ type: "namespace", name: `n${i}` })),
          },
        }),
      "tools to choose from": (bytes) =>
        base({
          tools: many(bytes / 2, tool),
          tool_choice: {
            type: "allowed_tools",
            mode: "required",
            tools: many(bytes / 2, (i) => ({ type: "function", name: `f${i}` })),
          },
        }),
      "parts of a result": (bytes) => ({
        model,
        input: [
          { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
          {
            type: "function_call_output",
            call_id: "c",
            output: many(bytes, (i) => ({ type: "input_text", text: `${i}` })),
          },
        ],
      }),
      include: (bytes) => base({ include: many(bytes, (i) => `i${i}`) }),
      metadata: (bytes) => base({ metadata: members(bytes, "x") }),
      "unknown members": (bytes) => base(members(bytes)),
      "a deep group": () =>
        base({
          tools: [nested(100, (value) => ({ type: "namespace", name: "n", tools: [value] }))],
        }),
    }),
  ];
}
