import { doubtFault, isInDoubt } from "../../drafts/publish/publish-doubt.ts";
import { Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import { mistake, type Options, readArguments, text, UsageError } from "../terminal/arguments.ts";
import { print } from "../terminal/print.ts";
import { type Terminal, terminal } from "../terminal/terminal.ts";
import { sayMistake, sayOfDrafts } from "../words/language.ts";
import { articleOf, type CommandDependencies, PARTICULARS } from "./draft-article.ts";
import type { JsonBody } from "./draft-client.ts";
import { draftWords, FileFault, previewWords, type SentFile, statusWords } from "./draft-words.ts";
import { PushedFiles } from "./pushed-files.ts";

export const ADDING = ["account", "key", "publish?", "dry-run?", "json?", ...PARTICULARS];
const INPUT_EXIT = 2;
/** The file is a draft already, and nobody said what to do about it. */
const EXISTS_EXIT = 6;
/** What has left the box for good is nothing that a push could update. */
const GONE: readonly unknown[] = ["removed", "publishing", "published"];

/** A preview that has errors ends as the push would. */
function showPreview(preview: JsonBody, options: Options, file?: SentFile): number {
  print(options, preview, () => previewWords(preview, file));
  return preview.ok === false ? INPUT_EXIT : 0;
}

/** What is refused of a file is told by the lines of that file. */
async function sent<T>(work: Promise<T>, file: SentFile | undefined): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw file && thrown instanceof Fault ? new FileFault(thrown, file) : thrown;
  }
}

/** Brings a new draft into the box, or shows what would come of it. */
export async function add(
  { client }: CommandDependencies,
  form: JsonBody,
  options: Options,
  file?: SentFile,
): Promise<{ readonly exitCode: number; readonly draft?: JsonBody }> {
  if (options["dry-run"] === true) {
    const preview = await sent(client.preview(form), file);
    return { exitCode: showPreview(preview, options, file) };
  }
  const publish = options.publish === true ? { publish: true } : {};
  const key = text(options, "key") ?? newId("cli_");
  const draft = await sent(client.add({ ...form, ...publish }, key), file);
  print(options, draft, () => draftWords(draft, file));
  return { exitCode: 0, draft };
}

/** Changes a draft, or shows what would come of it. */
export async function update(
  { client }: CommandDependencies,
  id: string,
  form: JsonBody,
  options: Options,
  file?: SentFile,
): Promise<number> {
  const dryRun = options["dry-run"] === true ? { dry_run: true } : {};
  const changed = await sent(client.update(id, { ...form, ...dryRun }), file);
  if (changed.object === "draft_preview") return showPreview(changed, options, file);
  const published = options.publish === true ? await client.publish(id) : {};
  const draft: JsonBody = { ...changed, ...published };
  print(options, draft, () => draftWords(draft, file));
  return 0;
}

/**
 * Whether a draft has left the box for good. Of one that may be published or not, nobody can say: a new one might be its
 * twin. The server has looked for it in the box just now.
 */
function hasLeft({ id, status, publish_id: publishId }: JsonBody): boolean {
  if (isInDoubt({ status, publishId })) throw doubtFault(String(id));
  return GONE.includes(status);
}

/** The draft that a file became, as far as the server still knows it and it can be updated. */
async function draftOfFile(
  { client }: CommandDependencies,
  drafts: readonly string[],
  account: string | undefined,
): Promise<JsonBody | undefined> {
  if (drafts.length === 0) return undefined;
  // Where it would go now: a draft that lies in another box is not the one that is meant.
  const wanted = (await client.publicAccount(account))?.id;
  for (const id of drafts) {
    const draft = await client.get(id).catch((thrown: unknown) => {
      // Of another server, or deleted.
      if (thrown instanceof Fault && thrown.fault === "not_found") return undefined;
      throw thrown;
    });
    const isElsewhere = draft?.public_account_id !== wanted;
    if (draft && !isElsewhere && !hasLeft(draft)) return draft;
  }
  return undefined;
}

function titleOf(draft: JsonBody): string {
  return (draft.articles as readonly { title?: string }[])[0]?.title ?? "";
}

function draftExists(path: string, draft: JsonBody): UsageError {
  const { id, status, media_id, updated_at } = draft;
  const values = { path, id: String(id), title: titleOf(draft) };
  const { message } = sayMistake("draftExists", { ...values, status: String(status) });
  const { words } = sayMistake("draftExists", { ...values, status: statusWords(status) });
  return new UsageError(message, {
    code: "draft_exists",
    words,
    facts: { draft_id: id, status, media_id, title: titleOf(draft), updated_at },
    exitCode: EXISTS_EXIT,
  });
}

type Choice = "update" | "new" | "leave";

/** Asks until there is an answer. Whoever only presses Enter changes nothing. */
export async function askAbout(draft: JsonBody, path: string, person: Terminal): Promise<Choice> {
  const updated = String(draft.updated_at).slice(0, 16).replace("T", " ");
  const facts = { title: titleOf(draft), status: statusWords(draft.status), updated };
  const there = sayOfDrafts("alreadyThere", { path, id: String(draft.id), ...facts });
  let question = `${there}\n${sayOfDrafts("choose")}`;
  for (;;) {
    const answer = (await person.ask(question))?.toLowerCase() ?? "";
    question = sayOfDrafts("choose");
    if (answer === "u") return "update";
    if (answer === "n") return "new";
    if (answer === "l" || answer === "") return "leave";
  }
}

async function chosen(path: string, draft: JsonBody, options: Options): Promise<Choice> {
  if (options.update === true) return "update";
  const person = options.json === true ? undefined : terminal();
  if (!person) throw draftExists(path, draft);
  return askAbout(draft, path, person);
}

/** A draft that was made is made, whether or not it can be written down here. */
function remember(pushed: PushedFiles, path: string, draftId: unknown): void {
  if (typeof draftId !== "string") return;
  try {
    pushed.remember(path, draftId);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    process.stderr.write(`faregate: ${sayOfDrafts("notRemembered", { path, reason })}\n`);
  }
}

/** Who says which key, or that it shall be a new one, has thought of the draft that is there. */
function mayBeThere(options: Options): boolean {
  const isDecided = options.new === true || text(options, "key") !== undefined;
  return !isDecided && (options["dry-run"] !== true || options.update === true);
}

/** `draft push FILE`: a new draft of the file or, where it is one already, what its author wants. */
export async function push(deps: CommandDependencies, argv: readonly string[]): Promise<number> {
  const names = [...ADDING, "allow-outside?", "update?", "new?"];
  const { words, options } = readArguments(argv, names);
  const [path, more] = words;
  if (!path || more !== undefined) throw mistake("fileUnnamed");
  if (options.update === true && options.new === true) {
    throw mistake("optionsExclude", { option: "--update", other: "--new" });
  }
  const { form, file } = await articleOf(path, options, deps);
  const account = text(options, "account");
  const pushed = new PushedFiles(deps.env);
  const known = mayBeThere(options) ? pushed.draftsOf(path) : [];
  const there = await draftOfFile(deps, known, account);
  const choice = there ? await chosen(path, there, options) : "new";
  if (choice === "leave") {
    process.stderr.write(`${sayOfDrafts("left")}\n`);
    return EXISTS_EXIT;
  }
  if (there && choice === "update") {
    remember(pushed, path, there.id);
    return update(deps, String(there.id), form, options, file);
  }
  try {
    const { exitCode, draft } = await add(deps, { ...form, account }, options, file);
    remember(pushed, path, draft?.id);
    return exitCode;
  } catch (thrown) {
    // What was refused on its way is kept as a draft too, and the next push should find it.
    if (thrown instanceof Fault) remember(pushed, path, thrown.facts.draft_id);
    throw thrown;
  }
}
