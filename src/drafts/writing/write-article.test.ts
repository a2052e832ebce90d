import { describe, expect, test } from "bun:test";
import { Fault } from "../../lib/faults.ts";
import { writeArticle } from "./write-article.ts";

interface Asked {
  readonly model: string;
  readonly store: boolean;
  readonly instructions: string;
  readonly input: readonly { readonly content: string }[];
  readonly text: {
    readonly format: { readonly strict: boolean; readonly schema: { readonly required: string[] } };
  };
}

const ARTICLE = {
  title: "Cranes",
  digest: "Of cranes.",
  markdown: "Text.",
  cover_idea: "A crane.",
};
const REQUEST = { model: "m-1", brief: "Write about cranes" };
/** With so many it took half a minute, and minutes with a few more. */
const BLANK_LINES = 4_000;
const LIMIT_MS = 10_000;

function answer(text: string, id: number, more: object = {}): Response {
  const content = [{ type: "output_text", text }];
  const body = {
    model: "m-1",
    status: "completed",
    output: [{ content }],
    usage: { cost: 0.5, cost_exact: "0.5" },
  };
  const headers = { "x-request-id": `req_${id}` };
  return Response.json({ ...body, ...more }, { headers });
}

/** A model that says these texts one after the other; an object is said as JSON. */
function model(...says: (object | string | Fault)[]) {
  const asked: Asked[] = [];
  const ask = async (body: object) => {
    const say = says[asked.length];
    asked.push(body as Asked);
    if (say === undefined) throw new Error("the model was asked too often");
    if (say instanceof Fault) throw say;
    return answer(typeof say === "string" ? say : JSON.stringify(say), asked.length);
  };
  return { ask, asked };
}

async function fails(work: Promise<unknown>): Promise<Fault> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(Fault);
  return thrown as Fault;
}

describe("writing an article", () => {
  test("asks once, strictly and unstored, and keeps the receipt of the call", async () => {
    const { ask, asked } = model(ARTICLE);
    const written = await writeArticle(ask, {
      ...REQUEST,
      language: "German",
      tone: "dry",
      length: 300,
    });
    expect(written).toEqual({
      title: "Cranes",
      digest: "Of cranes.",
      markdown: "Text.",
      coverIdea: "A crane.",
      calls: [{ requestId: "req_1", model: "m-1", cost: "0.5", purpose: "write" }],
    });
    const [request] = asked;
    expect(request).toMatchObject({
      model: "m-1",
      store: false,
      input: [{ content: REQUEST.brief }],
    });
    expect(request?.text.format.strict).toBe(true);
    expect(request?.text.format.schema.required).toEqual([
      "title",
      "digest",
      "markdown",
      "cover_idea",
    ]);
    expect(request?.instructions).toMatch(/German[\s\S]*300 words[\s\S]*dry/);
  });

  test("reads JSON that a model has put into a fence", async () => {
    const { ask } = model(`\`\`\`json\n${JSON.stringify(ARTICLE)}\n\`\`\``);
    expect((await writeArticle(ask, REQUEST)).title).toBe("Cranes");
  });

  test("reads a fence with blanks around it, on lines of another system", async () => {
    const { ask } = model(`\n \`\`\`json \r\n\r\n${JSON.stringify(ARTICLE)}\r\n \`\`\` \n`);
    expect((await writeArticle(ask, REQUEST)).title).toBe("Cranes");
  });

  // Models fall into writing nothing but blank lines. Only the time limit tells whether these are tried again and again.
  test(
    "gives up at once on a fence that nothing but blank lines follow",
    async () => {
      const text = `\`\`\`\n${"\n".repeat(BLANK_LINES)}x`;
      expect((await fails(writeArticle(model(text).ask, REQUEST))).fault).toBe("writing_failed");
    },
    LIMIT_MS,
  );

  test("has a title that is too long shortened once, told both numbers", async () => {
    const { ask, asked } = model({ ...ARTICLE, title: "长".repeat(33) }, { title: "短" });
    const written = await writeArticle(ask, REQUEST);
    expect(written.title).toBe("短");
    expect(written.calls.map(({ purpose, requestId }) => [purpose, requestId])).toEqual([
      ["write", "req_1"],
      ["shorten", "req_2"],
    ]);
    expect(asked[1]?.input[0]?.content).toMatch(/33 characters; at most 32/);
    expect(asked[1]?.text.format.schema.required).toEqual(["title"]);
  });

  test("counts a character of two halves once", async () => {
    const { ask, asked } = model({ ...ARTICLE, title: "🦩".repeat(32) });
    expect((await writeArticle(ask, REQUEST)).title).toBe("🦩".repeat(32));
    expect(asked).toHaveLength(1);
  });

  test("cuts nothing that stays too long, and asks no third time", async () => {
    const long = { ...ARTICLE, title: "x".repeat(50), digest: "y".repeat(200) };
    const { ask, asked } = model(long, { title: "x".repeat(45), digest: "short" });
    const written = await writeArticle(ask, REQUEST);
    expect(written.title).toBe("x".repeat(45));
    expect(written.digest).toBe("short");
    expect(asked).toHaveLength(2);
  });

  test.each([
    ["is not JSON", "no idea"],
    ["gives an object for a text", { title: { short: "鹤" } }],
    ["gives a list for a text", { title: ["鹤"] }],
    ["gives a number for a text", { title: 7 }],
    ["gets no answer", new Fault("budget_exceeded", "no money")],
  ])("keeps the article when the call that shortens it %s", async (_, second) => {
    const { ask } = model({ ...ARTICLE, title: "x".repeat(50) }, second);
    const written = await writeArticle(ask, REQUEST);
    expect(written.title).toBe("x".repeat(50));
    expect(written.calls).toHaveLength(second instanceof Fault ? 1 : 2);
  });

  test("leaves alone what the caller has given", async () => {
    const { ask, asked } = model({ ...ARTICLE, title: "another" });
    const title = "x".repeat(50);
    expect((await writeArticle(ask, { ...REQUEST, title })).title).toBe(title);
    expect(asked).toHaveLength(1);
  });

  test.each([
    "Here is your article!",
    "[]",
    '{"title":"a"}',
    '{"title":"a","digest":"b","markdown":" "}',
  ])("says of %p that it is no article, with the call that was paid", async (text) => {
    const fault = await fails(writeArticle(model(text).ask, REQUEST));
    expect(fault.fault).toBe("writing_failed");
    expect(fault.facts).toEqual({
      output: text,
      writing: [{ request_id: "req_1", model: "m-1", purpose: "write", cost: "0.5" }],
    });
  });

  test("says why a model has not finished, or refused", async () => {
    const cut = async () =>
      answer("{", 1, { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    expect((await fails(writeArticle(cut, REQUEST))).message).toContain("max_output_tokens");
    const refusal = [{ content: [{ type: "refusal", refusal: "I would rather not." }] }];
    const refuse = async () => answer("", 1, { output: refusal });
    expect((await fails(writeArticle(refuse, REQUEST))).message).toContain("I would rather not.");
  });

  test("passes on what the gateway itself refuses", async () => {
    const { ask } = model(new Fault("model_not_found", "no such model", { param: "model" }));
    expect((await fails(writeArticle(ask, REQUEST))).fault).toBe("model_not_found");
  });
});
