import { afterEach, describe, expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import { PROFILE_RULES } from "../profile.ts";
import { ContentThreads } from "./content-threads.ts";

const open: ContentThreads[] = [];

function openThreads(settings: Record<string, string> = {}) {
  const made = new ContentThreads(readConfig(settings).limits);
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const task = (content: string) => {
  const { contentBytesMax, visibleCharsMax, imageTextCharsMax } = PROFILE_RULES.doc;
  const bounds = { contentBytesMax, visibleCharsMax, imageTextCharsMax };
  return { content, type: "news" as const, bounds, origin: "http://127.0.0.1/platform" };
};

/** `rejects` would wait inside of the event that brought the answer before, and hear of no other. */
const refusalOf = (stored: Promise<unknown>) => stored.catch((thrown: unknown) => thrown);

describe("contents in threads", () => {
  test("are filtered, measured and refused as by the rules", async () => {
    const contents = openThreads();
    const stored = await contents.store("wx1", task("<p onclick='x'>Some <b>words</b></p>"));
    expect(stored).toEqual({
      content: "<p>Some <b>words</b></p>",
      opening: "Some words",
      productKeys: [],
    });
    const refusals = [
      ["a".repeat(20_001), 45002],
      ["a".repeat(1024 * 1024 + 1), 45002],
      ["<b>".repeat(500), 45166],
    ] as const;
    for (const [content, errcode] of refusals) {
      expect(await refusalOf(contents.store("wx1", task(content)))).toMatchObject({ errcode });
    }
  });

  test("are refused as invalid when that takes too long", async () => {
    const contents = openThreads({ FAREGATE_PLATFORM_CONTENT_MS: "1" });
    const refusal = { errcode: 45166, field: "content" };
    // Fine otherwise, but so long that a thread which is there already takes its time too.
    const long = task(`<p title='${"a".repeat(900_000)}'>x</p>`);
    expect(await refusalOf(contents.store("wx1", long))).toMatchObject(refusal);
  });

  test("of one account are slowed down when there are too many, those of others are not", async () => {
    const contents = openThreads({ FAREGATE_PLATFORM_CONTENT_ACCOUNT_MAX: "1" });
    const first = contents.store("wx1", task("<p>x</p>"));
    const second = contents.store("wx1", task("x"));
    expect(await refusalOf(second)).toMatchObject({ errcode: 45011 });
    expect((await contents.store("wx2", task("y"))).content).toBe("y");
    expect((await first).content).toBe("<p>x</p>");
  });
});
