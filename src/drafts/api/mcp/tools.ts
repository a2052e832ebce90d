import { createHash } from "node:crypto";
import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { Clock } from "../../../lib/clock.ts";
import { Fault } from "../../../lib/faults.ts";
import { previewForm } from "../../contract/draft-form.ts";
import { checkForm } from "../read-form.ts";
import type { DraftOperations, OperationResult } from "./operations.ts";
import { inputSchemas, type ObjectSchema, resultSchemas } from "./schemas.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface DraftTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
  /** Members of the result beside `ok`. */
  run(args: Arguments): Promise<OperationResult>;
}

interface ToolParts {
  readonly operations: DraftOperations;
  readonly clock: Clock;
  /** What a `file` stands for; absent where the agent's files are out of reach. */
  readonly readFile?: ((path: string) => Promise<Arguments>) | undefined;
}

const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const LIST_DEFAULT = 20;
const LIST_MAX = 100;
const DAY_MS = 24 * 3_600_000;
const DATA_CHARS_SHOWN = 60;

/** Pictures as data URLs would fill an agent's memory for nothing. */
function withoutData(value: unknown): unknown {
  if (typeof value === "string" && value.startsWith("data:") && value.length > DATA_CHARS_SHOWN) {
    return `${value.slice(0, DATA_CHARS_SHOWN)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) return value.map(withoutData);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutData(part)]));
}

function slim(draft: OperationResult): OperationResult {
  return { draft: withoutData(draft) };
}

function idOf({ id }: Arguments): string {
  if (typeof id === "string" && id !== "") return id;
  throw new Fault("missing_required_parameter", "Name the draft by its id.", { param: "id" });
}

/** The same value with the members of every object by their names: agents write them as it comes. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, part]) => [name, inOrder(part)]));
}

/** Of a form whose members are in order. */
function keyOf(form: unknown, clock: Clock): string {
  const sum = createHash("sha256").update(JSON.stringify(form)).digest("hex");
  return `mcp-${Math.floor(clock() / DAY_MS)}-${sum}`;
}

/** Arguments with the file, where one is named, read into them. */
async function withFile({ readFile }: ToolParts, args: Arguments): Promise<Arguments> {
  const { file, ...rest } = args;
  if (file === undefined) return args;
  if (!readFile || typeof file !== "string") {
    const message = "Files are not read here; send the text as markdown or html.";
    throw new Fault("unsupported_parameter", message, { param: "file" });
  }
  return { ...(await readFile(file)), ...rest };
}

function preview(answer: OperationResult, whole: boolean): OperationResult {
  const { request, articles, ...rest } = answer as {
    articles?: readonly OperationResult[];
    request?: string;
  };
  if (whole) return { preview: withoutData({ ...rest, articles, request }) };
  const lean = (articles ?? []).map(({ html: _html, ...article }) => article);
  return { preview: withoutData({ ...rest, articles: lean }) };
}

function readPage({ after, limit }: Arguments) {
  const count = typeof limit === "number" ? limit : LIST_DEFAULT;
  return {
    after: typeof after === "string" && after !== "" ? after : undefined,
    limit: Math.min(LIST_MAX, Math.max(1, Math.floor(count))),
  };
}

function writingTools(parts: ToolParts): readonly DraftTool[] {
  const { operations, clock } = parts;
  const inputs = inputSchemas(parts.readFile !== undefined);
  const results = resultSchemas();
  return [
    {
      name: "draft_add",
      title: "Add a draft",
      description:
        "Puts an article into the draft box of a WeChat public account: from a brief that a model " +
        "writes, from markdown, from HTML, or several articles at once. It is checked before " +
        "anything is sent, and never published. The same arguments on one day lead to the same " +
        "draft, unless idempotency_key says otherwise.",
      inputSchema: inputs.add,
      outputSchema: results.draft,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      async run(args) {
        const { idempotency_key: key, ...members } = await withFile(parts, args);
        // Agents do not publish: the form has no member for it, wherever it is read.
        const form = inOrder(checkForm(previewForm, members));
        const given = typeof key === "string" && key !== "" ? key : keyOf(form, clock);
        return slim(await operations.add(form, given));
      },
    },
    {
      name: "draft_update",
      title: "Change a draft",
      description:
        "Changes members of a draft and brings it into the box; members that are not named stay. " +
        "With nothing but the id, it takes up a push that was refused or is in doubt.",
      inputSchema: inputs.update,
      outputSchema: results.draft,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      async run(args) {
        const id = idOf(args);
        const { id: _id, ...form } = await withFile(parts, args);
        return slim(await operations.update(id, form));
      },
    },
    {
      name: "draft_delete",
      title: "Delete a draft",
      description: "Deletes a draft from the box and here. This cannot be undone.",
      inputSchema: inputs.remove,
      outputSchema: results.deleted,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      run: async (args) => ({ ...(await operations.remove(idOf(args))) }),
    },
  ];
}

function readingTools(parts: ToolParts): readonly DraftTool[] {
  const { operations } = parts;
  const inputs = inputSchemas(parts.readFile !== undefined);
  const results = resultSchemas();
  return [
    {
      name: "draft_preview",
      title: "Preview a draft",
      description:
        "Renders an article and lists what the platform would refuse or change. Nothing is sent or " +
        "stored; only a brief costs what its model costs.",
      inputSchema: inputs.preview,
      outputSchema: results.preview,
      annotations: READ_ONLY,
      async run(args) {
        const { include_html: whole, ...form } = await withFile(parts, args);
        return preview(await operations.preview(form), whole === true);
      },
    },
    {
      name: "draft_list",
      title: "List drafts",
      description: "Drafts of this account, the newest first.",
      inputSchema: inputs.list,
      outputSchema: results.list,
      annotations: READ_ONLY,
      run: async (args) => operations.list(readPage(args)),
    },
    {
      name: "draft_get",
      title: "Read a draft",
      description: "Shows a draft, its receipt, and what the box has now.",
      inputSchema: inputs.get,
      outputSchema: results.draft,
      annotations: READ_ONLY,
      run: async (args) => slim(await operations.get(idOf(args))),
    },
    {
      name: "account_doctor",
      title: "Examine a public account",
      description:
        "Whether drafts can be sent: credential, the address to allow-list, rights, and what is " +
        "left of today's quota.",
      inputSchema: inputs.doctor,
      outputSchema: results.diagnosis,
      annotations: READ_ONLY,
      async run({ account }) {
        const name = typeof account === "string" && account !== "" ? account : undefined;
        return { diagnosis: await operations.doctor(name) };
      },
    },
    {
      name: "list_themes",
      title: "List themes",
      description: "Lists the themes.",
      inputSchema: inputs.themes,
      outputSchema: results.themes,
      annotations: READ_ONLY,
      run: () => operations.themes(),
    },
  ];
}

export function draftTools(parts: ToolParts): readonly DraftTool[] {
  return [...writingTools(parts), ...readingTools(parts)];
}
