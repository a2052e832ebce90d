import type { Model } from "../../../src/console/contract/models.ts";

interface Snippet {
  readonly id: "curl" | "python" | "node";
  readonly label: string;
  readonly text: string;
}

/** What is sent, in each language's own spelling; an endpoint has its own members. */
function callOf({ endpoints }: Pick<Model, "endpoints">) {
  if (endpoints.includes("responses")) {
    return { path: "responses", method: "responses", member: "input", shows: "output_text" };
  }
  if (endpoints.includes("chat")) {
    return { path: "chat/completions", method: "chat.completions", member: "messages", shows: "" };
  }
  return { path: "embeddings", method: "embeddings", member: "input", shows: "data[0].embedding" };
}

const KEY = "sk-fg-…";

/** Runnable once the key is put in. */
export function snippetsOf(
  model: Pick<Model, "id" | "endpoints">,
  publicUrl: string,
): readonly Snippet[] {
  const base = `${publicUrl}/v1`;
  const { path, method, member, shows } = callOf(model);
  const chat = member === "messages";
  const shown = shows || "choices[0].message.content";
  const json = chat ? '[{"role": "user", "content": "Hello"}]' : '"Hello"';
  const script = chat ? '[{ role: "user", content: "Hello" }]' : '"Hello"';
  return [
    {
      id: "curl",
      label: "curl",
      text: [
        `curl ${base}/${path} \\`,
        `  -H "Authorization: Bearer ${KEY}" \\`,
        '  -H "Content-Type: application/json" \\',
        `  -d '{"model": "${model.id}", "${member}": ${json}}'`,
      ].join("\n"),
    },
    {
      id: "python",
      label: "Python",
      text: [
        "from openai import OpenAI",
        "",
        `client = OpenAI(base_url="${base}", api_key="${KEY}")`,
        `answer = client.${method}.create(model="${model.id}", ${member}=${json})`,
        `print(answer.${shown})`,
      ].join("\n"),
    },
    {
      id: "node",
      label: "Node",
      text: [
        'import OpenAI from "openai";',
        "",
        `const client = new OpenAI({ baseURL: "${base}", apiKey: "${KEY}" });`,
        `const answer = await client.${method}.create({`,
        `  model: "${model.id}",`,
        `  ${member}: ${script},`,
        "});",
        `console.log(answer.${shown});`,
      ].join("\n"),
    },
  ];
}
