import { PATHS, type Question, questionBody } from "./call.ts";

interface Snippet {
  readonly id: "curl" | "python" | "node";
  readonly label: string;
  readonly text: string;
}

const KEY = "sk-fg-…";

const METHODS = { responses: "responses", chat: "chat.completions" } as const;
const SHOWN = { responses: "output_text", chat: "choices[0].message.content" } as const;

/** Members one below the other, each as JSON: a literal that JavaScript and Python read alike. */
function members(body: object, between: string, end: string): string {
  return Object.entries(body)
    .map(([name, value]) => {
      const literal = JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
      return `  ${name}${between}${literal}${end}`;
    })
    .join("\n");
}

/** Inside of single quotes a shell takes everything as it is, but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same question for a program, runnable once a key is put in. */
export function asCode(question: Question, publicUrl: string): readonly Snippet[] {
  const base = `${publicUrl}/v1`;
  const body = questionBody(question);
  const { endpoint } = question;
  const method = METHODS[endpoint];
  const curl = [
    `curl ${base}/${PATHS[endpoint]} \\`,
    `  -H "Authorization: Bearer ${KEY}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ];
  const python = [
    "from openai import OpenAI",
    "",
    `client = OpenAI(base_url="${base}", api_key="${KEY}")`,
    `answer = client.${method}.create(`,
    members(body, "=", ","),
    ")",
    `print(answer.${SHOWN[endpoint]})`,
  ];
  const node = [
    'import OpenAI from "openai";',
    "",
    `const client = new OpenAI({ baseURL: "${base}", apiKey: "${KEY}" });`,
    `const answer = await client.${method}.create({`,
    members(body, ": ", ","),
    "});",
    `console.log(answer.${SHOWN[endpoint]});`,
  ];
  return [
    { id: "curl", label: "curl", text: curl.join("\n") },
    { id: "python", label: "Python", text: python.join("\n") },
    { id: "node", label: "Node", text: node.join("\n") },
  ];
}
