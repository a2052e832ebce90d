import { describe, expect, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import {
  article,
  DraftHouse,
  draftStores,
  plainArticleRenderer,
} from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { Fault } from "../../lib/faults.ts";
import type { ArticleRenderer } from "./article-renderer.ts";

const drafts = perSuite(draftStores);

let titles = 0;
const newTitle = () => `title ${++titles}`;

const ADD = "/cgi-bin/draft/add";

const full = () => new Fault("rate_limit_exceeded", "Too many articles are being rendered.");
const tooSlow = () => new Fault("render_too_slow", "The articles take too long.");

/** One method of the renderer that fails in these of its calls, counted from one. */
function failing<Call extends keyof ArticleRenderer>(
  call: Call,
  at: readonly number[],
  fault: () => Fault,
) {
  let calls = 0;
  const work = plainArticleRenderer[call] as (...given: unknown[]) => Promise<unknown>;
  const failingWork = async (...given: unknown[]) => {
    calls += 1;
    if (at.includes(calls)) throw fault();
    return work(...given);
  };
  return { [call]: failingWork } as Partial<ArticleRenderer>;
}

/** A draft with a picture, in a process with such a renderer. */
async function draftWith(renderer: Partial<ArticleRenderer>) {
  const house = new DraftHouse(drafts.store);
  const draftService = house.start({ renderer });
  const title = newTitle();
  const words = (text: string) => [
    article(title, { source: { format: "markdown", text: `${text} ![b](https://a.test/c.png)` } }),
  ];
  const { id } = await draftService.create(house.accountId, { articles: words("one"), by: "me" });
  const push = () => draftService.push(house.accountId, id);
  return { house, draftService, id, title, words, push };
}

describe("a push that meets a full render pool", () => {
  test.each([
    ["where its pictures are placed", "placeImages"],
    ["where it is about to be sent", "mark"],
  ] as const)("%s waits for its place, and is sent once", async (_words, call) => {
    const { house, draftService, title, push } = await draftWith(failing(call, [1, 2], full));
    expect((await push()).receipt.sends).toBe(1);
    house.pass(60_000);
    await draftService.recover();
    expect(house.stub.titled(title)).toHaveLength(1);
  });

  test("brings an update all the same", async () => {
    const { house, draftService, id, title, words, push } = await draftWith(
      failing("placeImages", [2], full),
    );
    await push();
    await draftService.save(house.accountId, id, { articles: words("two"), by: "me", base: 1 });
    expect((await push()).draft.pushedVersion).toBe(2);
    expect(String(house.stub.titled(title)[0]?.articles[0]?.content)).toContain("two");
  });

  test("before it has begun is told so, and leaves nothing behind", async () => {
    const { house, draftService, title, push } = await draftWith(failing("judge", [1], full));
    expect((await faultOf(push())).fault).toBe("rate_limit_exceeded");
    house.pass(60_000);
    await draftService.recover();
    expect(house.stub.titled(title)).toEqual([]);
  });

  test("where it is taken up waits for its place", async () => {
    const { house, id, title } = await draftWith({});
    const dying = house.start({
      fetch(address, call) {
        if (new URL(address).pathname.endsWith("uploadimg")) house.life.die();
        return house.stub.fetch(address, call);
      },
    });
    void dying.push(house.accountId, id);
    await house.life.died;
    const next = house.start({ renderer: failing("judge", [1], full) });
    expect((await next.push(house.accountId, id)).draft.status).toBe("in_box");
    expect(house.stub.titled(title)).toHaveLength(1);
  });
});

test("a push that is sent again after a lost answer asks nothing of the render pool", async () => {
  // One before it is sent, and two for the searches of the box.
  const { house, title, push } = await draftWith(failing("mark", [4], tooSlow));
  const faults = ["reset_before"] as const;
  let met = 0;
  house.fault = (path) => (path === ADD ? faults[met++] : undefined);
  expect((await push()).receipt.sends).toBe(2);
  expect(house.stub.titled(title)).toHaveLength(1);
});
