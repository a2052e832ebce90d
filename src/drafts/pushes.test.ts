import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../test/support/counts.ts";
import { article, DraftHouse, draftStores, holdingStore } from "../../test/support/draft-house.ts";
import { faultOf } from "../../test/support/errors.ts";
import { perSuite } from "../../test/support/house.ts";
import type { StubFault } from "../../test/support/wechat-stub.ts";
import { Fault } from "../lib/faults.ts";
import type { DraftBox } from "./draft-box.ts";

const drafts = perSuite(draftStores);

let titles = 0;
const newTitle = () => `title ${++titles}`;

const FAULTS: readonly StubFault[] = [
  "unreachable",
  "reset_before",
  "reset_after",
  "slow_before",
  "slow_after",
  "late",
  "busy_before",
  "busy_after",
  "http_before",
  "http_after",
  "no_media_id",
  "broken_json",
  "stale_token",
  "odd_code",
];

/** Faults of one path, in their order; afterwards all is well. */
function faultsOf(path: string, ...faults: StubFault[]) {
  return (called: string) => (called === path ? faults.shift() : undefined);
}

const ADD = "/cgi-bin/draft/add";
const LIST = "/cgi-bin/draft/batchget";

describe("one lost answer of draft/add", () => {
  test.each(FAULTS.filter((fault) => fault !== "unreachable" && fault !== "odd_code"))(
    "%s leaves exactly one draft, and says which",
    async (fault) => {
      const house = new DraftHouse(drafts.store);
      const box = house.start();
      const title = newTitle();
      const draft = await box.create(house.accountId, { articles: [article(title)], by: "me" });
      house.fault = faultsOf(ADD, fault);
      const { receipt, push } = await box.push(house.accountId, draft.id);
      expect(house.stub.titled(title).map(({ mediaId }) => mediaId)).toEqual([receipt.mediaId]);
      const isStored = /_after$|no_media_id|broken_json|late/.test(fault);
      expect(push.state).toBe("done");
      expect(receipt.reconciled).toBe(isStored);
      expect(receipt.sends).toBe(isStored || fault === "stale_token" ? 1 : 2);
    },
  );

  test("a platform that is not reached has stored nothing, and says so", async () => {
    const house = new DraftHouse(drafts.store);
    const box = house.start();
    const title = newTitle();
    const draft = await box.create(house.accountId, { articles: [article(title)], by: "me" });
    house.fault = faultsOf(ADD, "unreachable");
    const fault = await faultOf(box.push(house.accountId, draft.id));
    expect(fault.fault).toBe("upstream_unavailable");
    expect(house.stub.titled(title)).toEqual([]);
    await box.push(house.accountId, draft.id);
    expect(house.stub.titled(title)).toHaveLength(1);
  });

  test("a code that nobody knows is looked after before it counts as a refusal", async () => {
    const house = new DraftHouse(drafts.store);
    const box = house.start();
    const draft = await box.create(house.accountId, { articles: [article(newTitle())], by: "me" });
    house.fault = faultsOf(ADD, "odd_code");
    const fault = await faultOf(box.push(house.accountId, draft.id));
    expect(fault.fault).toBe("platform_refused");
    expect(fault.facts.errcode).toBe(99123);
    expect(house.stub.calls.filter((path) => path === LIST)).toHaveLength(2);
  });
});

describe("two who push one draft", () => {
  test.each([
    ["the first time", false],
    ["again as a new one", true],
  ])("%s send it once, also when one is done before the other begins", async (_words, asNew) => {
    const { store, hold } = holdingStore(drafts.sql);
    const house = new DraftHouse(store);
    const [slow, quick] = [house.start(), house.start()];
    const title = newTitle();
    const draft = await slow.create(house.accountId, { articles: [article(title)], by: "me" });
    if (asNew) await quick.push(house.accountId, draft.id);
    const { arrived, go } = hold();
    const late = slow.push(house.accountId, draft.id, { asNew });
    await arrived;
    const { receipt } = await quick.push(house.accountId, draft.id, { asNew });
    go();
    expect((await late).receipt.mediaId).toBe(receipt.mediaId);
    expect(house.stub.titled(title)).toHaveLength(asNew ? 2 : 1);
  });
});

describe("an outcome that stays unknown", () => {
  test("is told, and resolved by a later push without sending twice", async () => {
    const house = new DraftHouse(drafts.store);
    const box = house.start();
    const title = newTitle();
    const draft = await box.create(house.accountId, { articles: [article(title)], by: "me" });
    house.fault = (path) =>
      path === ADD ? "reset_after" : path === LIST ? "http_before" : undefined;
    const fault = await faultOf(box.push(house.accountId, draft.id));
    expect(fault.fault).toBe("platform_unknown");
    expect(fault.facts.draft_id).toBe(draft.id);
    expect((await box.find(house.accountId, draft.id)).status).toBe("unknown");
    house.fault = () => undefined;
    const { receipt } = await box.push(house.accountId, draft.id);
    expect(receipt.reconciled).toBe(true);
    expect(receipt.sends).toBe(1);
    expect(house.stub.titled(title)).toHaveLength(1);
  });

  test("with several that look alike stops and says which", async () => {
    const house = new DraftHouse(drafts.store);
    const box = house.start();
    const title = newTitle();
    const draft = await box.create(house.accountId, { articles: [article(title)], by: "me" });
    house.fault = (path) => {
      if (path !== ADD) return undefined;
      // Somebody copies the draft in the platform's editor before the box is read.
      queueMicrotask(() => {
        const [one] = house.stub.drafts.values();
        if (one) house.stub.drafts.set("copy", { ...one, mediaId: "copy" });
      });
      return "reset_after";
    };
    const fault = await faultOf(box.push(house.accountId, draft.id));
    expect(fault.fault).toBe("platform_unknown");
    expect(fault.message).toContain("copy");
    house.stub.drafts.delete("copy");
    house.fault = () => undefined;
    await box.push(house.accountId, draft.id);
    expect(house.stub.titled(title)).toHaveLength(1);
  });

  test("is not mistaken for another draft of the same words", async () => {
    const house = new DraftHouse(drafts.store);
    const box = house.start();
    const title = newTitle();
    const form = { articles: [article(title)], by: "me" };
    const first = await box.create(house.accountId, form);
    const second = await box.create(house.accountId, form);
    const one = await box.push(house.accountId, first.id);
    house.fault = faultsOf(ADD, "reset_before");
    const other = await box.push(house.accountId, second.id);
    expect(other.receipt.mediaId).not.toBe(one.receipt.mediaId);
    expect(house.stub.titled(title)).toHaveLength(2);
  });

  test("keeps another draft of the same words from being sent meanwhile", async () => {
    const house = new DraftHouse(drafts.store);
    const box = house.start();
    const form = { articles: [article(newTitle())], by: "me" };
    const first = await box.create(house.accountId, form);
    const second = await box.create(house.accountId, form);
    house.fault = (path) => (path === ADD || path === LIST ? "reset_before" : undefined);
    await faultOf(box.push(house.accountId, first.id));
    const fault = await faultOf(box.push(house.accountId, second.id));
    expect(fault.fault).toBe("push_busy");
    house.fault = () => undefined;
    await box.push(house.accountId, first.id);
    await box.push(house.accountId, second.id);
    expect(house.stub.drafts.size).toBe(2);
  });
});

/** Pushes until it is done, through faults, unknown outcomes and deaths of the process. */
async function pushThrough(house: DraftHouse, draftId: string, first: DraftBox): Promise<void> {
  let box = first;
  for (let tries = 0; tries < 40; tries += 1) {
    const ended = await Promise.race([
      box.push(house.accountId, draftId).then(
        () => "done" as const,
        (thrown: unknown) => {
          if (thrown instanceof Fault) return "again" as const;
          throw thrown;
        },
      ),
      house.life.died.then(() => "died" as const),
    ]);
    if (ended === "done") return;
    if (ended === "died") {
      house.nowMs += 120_000;
      box = house.start();
      await Promise.race([box.recover(), house.life.died]);
      if (house.life.dead) box = house.start();
    }
  }
  throw new Error("the push never came to an end");
}

describe("any row of faults and deaths", () => {
  const fault = fc.option(fc.constantFrom(...FAULTS), { nil: undefined, freq: 2 });
  const script = fc.record({
    faults: fc.array(fault, { maxLength: 14 }),
    deaths: fc.array(fc.integer({ min: 1, max: 45 }), { maxLength: 3 }),
    pictures: fc.boolean(),
  });

  /** The process that could not read the box dies while it still holds the push. */
  const DEAD_IN_DOUBT = {
    faults: ["unreachable", undefined, undefined, "unreachable", undefined, "unreachable"],
    deaths: [29, 14],
    pictures: true,
  } satisfies { faults: (StubFault | undefined)[]; deaths: number[]; pictures: boolean };

  test("ends with exactly one draft, and the draft knows it", async () => {
    await fc.assert(
      fc.asyncProperty(script, async ({ faults, deaths, pictures }) => {
        const house = new DraftHouse(drafts.store);
        const title = newTitle();
        const text = pictures ? "a ![b](https://pictures.test/c.png) d" : `text of ${title}`;
        const doc = article(title, { source: { format: "markdown", text } });
        const box = house.start();
        const draft = await box.create(house.accountId, { articles: [doc], by: "me" });
        const left = [...faults];
        house.fault = () => left.shift();
        const dueDeaths = [...deaths];
        let calls = 0;
        house.onCall = () => {
          calls += 1;
          if (dueDeaths[0] === undefined || calls < dueDeaths[0]) return;
          dueDeaths.shift();
          calls = 0;
          house.life.die();
        };
        await pushThrough(house, draft.id, box);
        const found = house.stub.titled(title).map(({ mediaId }) => mediaId);
        const kept = await house.store.drafts.find(house.accountId, draft.id);
        expect(found).toHaveLength(1);
        expect(kept).toMatchObject({ status: "in_box", mediaId: found[0], pushedVersion: 1 });
      }),
      { numRuns: count(50, 150), examples: [[DEAD_IN_DOUBT]] },
    );
  });
});

describe("what a dead process left", () => {
  /** Lets the process die just before its nth call of the platform at a path. */
  async function dieAt(path: string, when: "before" | "after") {
    const house = new DraftHouse(drafts.store);
    const title = newTitle();
    const draft = await house
      .start()
      .create(house.accountId, { articles: [article(title)], by: "me" });
    const dying = house.start({
      fetch: async (address, call) => {
        const isIt = new URL(address).pathname === path;
        if (isIt && when === "after") await house.stub.fetch(address, call);
        if (isIt) house.life.die();
        return house.stub.fetch(address, call);
      },
    });
    void dying.push(house.accountId, draft.id);
    await house.life.died;
    return { house, draft, title };
  }

  test.each([
    ["/cgi-bin/material/add_material", "before"],
    ["/cgi-bin/material/add_material", "after"],
    ["/cgi-bin/draft/get", "before"],
  ] as const)("at %s (%s) is finished by the next one", async (path, when) => {
    const { house, draft, title } = await dieAt(path, when);
    const next = house.start();
    await next.recover();
    // A living process is not robbed.
    expect((await next.find(house.accountId, draft.id)).status).toBe("pushing");
    house.nowMs += 61_000;
    await next.recover();
    expect((await next.find(house.accountId, draft.id)).status).toBe("in_box");
    expect(house.stub.titled(title)).toHaveLength(1);
  });

  test("is waited for by somebody who pushes the same draft", async () => {
    const { house, draft, title } = await dieAt("/cgi-bin/material/add_material", "before");
    // Waiting lets the time of the dead one's lease pass.
    const { receipt } = await house.start().push(house.accountId, draft.id);
    expect(house.stub.titled(title).map(({ mediaId }) => mediaId)).toEqual([receipt.mediaId]);
  });
});
