import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../test/support/counts.ts";
import { faultOf } from "../../../test/support/errors.ts";
import {
  article,
  DraftHouse,
  draftStores,
  holdingStore,
} from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { StubFault } from "../../../test/support/outside/wechat-stub.ts";
import { Fault } from "../../lib/faults.ts";
import type { DraftService } from "../draft-service.ts";

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

/** Resolves when the next one has to wait for another. */
function somebodyWaits(house: DraftHouse): Promise<void> {
  return new Promise((resolve) => {
    house.onWait = resolve;
  });
}

const ADD = "/cgi-bin/draft/add";
const LIST = "/cgi-bin/draft/batchget";
const TOKEN = "/cgi-bin/stable_token";

describe("one lost answer of draft/add", () => {
  test.each(FAULTS.filter((fault) => fault !== "unreachable" && fault !== "odd_code"))(
    "%s leaves exactly one draft, and says which",
    async (fault) => {
      const house = new DraftHouse(drafts.store);
      const draftService = house.start();
      const title = newTitle();
      const draft = await draftService.create(house.accountId, {
        articles: [article(title)],
        by: "me",
      });
      house.fault = faultsOf(ADD, fault);
      const { receipt, push } = await draftService.push(house.accountId, draft.id);
      expect(house.stub.titled(title).map(({ mediaId }) => mediaId)).toEqual([receipt.mediaId]);
      const isStored = /_after$|no_media_id|broken_json|late/.test(fault);
      expect(push.state).toBe("done");
      expect(receipt.reconciled).toBe(isStored);
      expect(receipt.sends).toBe(isStored || fault === "stale_token" ? 1 : 2);
    },
  );

  test("a platform that is not reached has stored nothing, and says so", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const title = newTitle();
    const draft = await draftService.create(house.accountId, {
      articles: [article(title)],
      by: "me",
    });
    house.fault = faultsOf(ADD, "unreachable");
    const fault = await faultOf(draftService.push(house.accountId, draft.id));
    expect(fault.fault).toBe("upstream_unavailable");
    expect(house.stub.titled(title)).toEqual([]);
    await draftService.push(house.accountId, draft.id);
    expect(house.stub.titled(title)).toHaveLength(1);
  });

  test("a code that nobody knows is looked after before it counts as a refusal", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const draft = await draftService.create(house.accountId, {
      articles: [article(newTitle())],
      by: "me",
    });
    house.fault = faultsOf(ADD, "odd_code");
    const fault = await faultOf(draftService.push(house.accountId, draft.id));
    expect(fault.fault).toBe("platform_refused");
    expect(fault.facts.errcode).toBe(99123);
    expect(house.stub.calls.filter((path) => path === LIST)).toHaveLength(2);
  });
});

describe("a clock that is set back after something was sent", () => {
  const BACK_MS = 60_000;

  /** A draft whose first sending is stored, and its answer lost; `lost` is done at that moment. */
  async function sentOnce(lost: (house: DraftHouse) => void) {
    const house = new DraftHouse(drafts.store);
    const title = newTitle();
    const draftService = house.start();
    const { id } = await draftService.create(house.accountId, {
      articles: [article(title)],
      by: "me",
    });
    const meets = faultsOf(ADD, "reset_after");
    house.fault = (path) => {
      const fault = meets(path);
      if (fault) lost(house);
      return fault;
    };
    const push = (by = draftService) => by.push(house.accountId, id);
    const expectOne = async (by = draftService) => {
      expect((await push(by)).receipt).toMatchObject({ sends: 1, reconciled: true });
      expect(house.stub.titled(title)).toHaveLength(1);
    };
    return { house, push, expectOne };
  }

  /** The same with an outcome that is not known, since the box could not be read either. */
  async function leftInDoubt() {
    const parts = await sentOnce((house) => {
      house.stub.refusals.set(LIST, { errcode: -1, errmsg: "system error" });
    });
    expect(await faultOf(parts.push())).toMatchObject({ fault: "platform_unknown" });
    parts.house.stub.refusals.clear();
    return parts;
  }

  test("does not keep it from being found", async () => {
    const { expectOne } = await sentOnce((house) => {
      // The platform stores it by its own clock, before ours is touched.
      queueMicrotask(() => {
        house.clockSetMs -= BACK_MS;
      });
    });
    await expectOne();
  });

  test("does not keep it from being found later", async () => {
    const { house, expectOne } = await leftInDoubt();
    house.clockSetMs -= BACK_MS;
    house.pass(2 * BACK_MS);
    await expectOne();
  });

  test("does not keep it from being found by the next process", async () => {
    const { house, expectOne } = await leftInDoubt();
    house.life.die();
    house.clockSetMs -= BACK_MS;
    await expectOne(house.start());
  });

  test("does not keep what a process left that died in its sending", async () => {
    const { house, push, expectOne } = await sentOnce(({ life }) => life.die());
    void push();
    await house.life.died;
    // By more than it takes until somebody counts as dead.
    house.clockSetMs -= 3 * 3_600_000;
    await expectOne(house.start());
  });

  test("does not keep who lives from going on with the next step", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start({
      fetch(address, call) {
        if (new URL(address).pathname === TOKEN) house.clockSetMs -= 3 * 3_600_000;
        return house.stub.fetch(address, call);
      },
    });
    const form = { articles: [article(newTitle())], by: "me" };
    const { id } = await draftService.create(house.accountId, form);
    const { receipt } = await draftService.push(house.accountId, id);
    expect(receipt).toMatchObject({ sends: 1, reconciled: false });
  });

  test("does not keep what was stored twice from being taken out", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const title = newTitle();
    const draft = await draftService.create(house.accountId, {
      articles: [article(title)],
      by: "me",
    });
    house.fault = faultsOf(ADD, "reset_before");
    expect((await draftService.push(house.accountId, draft.id)).receipt.sends).toBe(2);
    const [one] = house.stub.titled(title);
    if (one) house.stub.drafts.set("twin", { ...one, mediaId: "twin" });
    house.clockSetMs -= BACK_MS;
    await draftService.remove(house.accountId, draft.id);
    expect(house.stub.titled(title)).toEqual([]);
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

describe("who pushes a draft while another push of it runs", () => {
  /** A push that is held up in its call of the platform at a path. */
  async function heldAt(path: string, doc = article(newTitle())) {
    const house = new DraftHouse(drafts.store);
    const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = house.start({
      async fetch(address, call) {
        if (new URL(address).pathname === path) {
          arrived.resolve();
          await go.promise;
        }
        return house.stub.fetch(address, call);
      },
    });
    const { life } = house;
    const quick = house.start();
    const draft = await quick.create(house.accountId, { articles: [doc], by: "me" });
    const { title } = doc;
    return { house, slow, life, quick, draft, title, arrived: arrived.promise, go: go.resolve };
  }

  test("as a new one gets the one that is being added", async () => {
    const { house, slow, quick, draft, arrived, go, title } = await heldAt(ADD);
    const first = await quick.push(house.accountId, draft.id);
    const again = slow.push(house.accountId, draft.id, { asNew: true });
    await arrived;
    const isWaiting = somebodyWaits(house);
    const late = quick.push(house.accountId, draft.id, { asNew: true });
    await isWaiting;
    go();
    const [one, other] = await Promise.all([again, late]);
    expect(other.receipt.mediaId).toBe(one.receipt.mediaId);
    expect(one.receipt.mediaId).not.toBe(first.receipt.mediaId);
    expect(house.stub.titled(title)).toHaveLength(2);
    await quick.remove(house.accountId, draft.id);
    expect(house.stub.titled(title)).toEqual([]);
  });

  test("is told its refusal, for which nothing more is sent", async () => {
    const { house, slow, quick, draft, arrived, go } = await heldAt(ADD);
    house.stub.refusals.set(ADD, { errcode: 45003, errmsg: "title" });
    const first = faultOf(slow.push(house.accountId, draft.id));
    await arrived;
    const isWaiting = somebodyWaits(house);
    const same = faultOf(quick.push(house.accountId, draft.id));
    await isWaiting;
    go();
    const facts = (await first).facts;
    expect((await same).facts).toEqual(facts);
    expect(house.stub.calls.filter((path) => path === ADD)).toHaveLength(1);
  });

  test("waits for the end of one that dies meanwhile, and goes on with it", async () => {
    const { house, slow, life, quick, draft, arrived, title } = await heldAt(ADD);
    void slow.push(house.accountId, draft.id);
    await arrived;
    // Its last beat comes late in the wait, so that it counts as living until after it.
    const dieAtMs = house.nowMs + 20_000;
    house.onCall = () => {
      if (house.nowMs >= dieAtMs) life.die();
    };
    expect((await quick.push(house.accountId, draft.id)).draft.status).toBe("in_box");
    expect(house.stub.titled(title)).toHaveLength(1);
  });

  test("takes over from one that was held up, whose own draft is taken out again", async () => {
    const { house, slow, life, quick, draft, arrived, go, title } = await heldAt(ADD);
    const held = slow.push(house.accountId, draft.id);
    await arrived;
    // The whole process stood still: nothing was heard of it, and its call is carried out late.
    life.held = true;
    house.nowMs += 61_000;
    const { receipt } = await quick.push(house.accountId, draft.id);
    go();
    expect((await held).receipt.mediaId).toBe(receipt.mediaId);
    expect(house.stub.titled(title).map(({ mediaId }) => mediaId)).toEqual([receipt.mediaId]);
  });

  test.each([
    ["stood still before it", 61_000, 0],
    ["stood still before it, though the clock was set back meanwhile", 61_000, 3 * 3_600_000],
    ["had it when the clock was set back", 0, 3 * 3_600_000],
  ])("has its call made by nobody who %s", async (_words, stillMs, backMs) => {
    const cover = { url: "https://pictures.test/same.png" };
    const doc = article(newTitle(), { cover });
    const { house, slow, life, quick, draft, arrived, go, title } = await heldAt(TOKEN, doc);
    // With its picture there already, the token that has ended is found out by the call itself.
    const form = { articles: [article(newTitle(), { cover })], by: "me" };
    await quick.push(house.accountId, (await quick.create(house.accountId, form)).id);
    house.stub.killToken();
    const held = slow.push(house.accountId, draft.id);
    await arrived;
    expect(house.stub.calls.at(-1)).toBe(ADD);
    life.held = true;
    house.nowMs += stillMs;
    house.clockSetMs -= backMs;
    const { receipt } = await quick.push(house.accountId, draft.id);
    house.stub.calls.length = 0;
    go();
    expect((await held).receipt.mediaId).toBe(receipt.mediaId);
    expect(house.stub.calls).not.toContain(ADD);
    expect(house.stub.titled(title).map(({ mediaId }) => mediaId)).toEqual([receipt.mediaId]);
  });

  test("comes after every update that was given up and may still be stored", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const title = newTitle();
    const words = (text: string) => [article(title, { source: { format: "markdown", text } })];
    const draft = await draftService.create(house.accountId, { articles: words("one"), by: "me" });
    await draftService.push(house.accountId, draft.id);
    house.fault = faultsOf("/cgi-bin/draft/update", "late");
    await draftService.save(house.accountId, draft.id, {
      articles: words("two"),
      by: "me",
      base: 1,
    });
    await draftService.push(house.accountId, draft.id);
    await draftService.save(house.accountId, draft.id, {
      articles: words("three"),
      by: "me",
      base: 2,
    });
    await draftService.push(house.accountId, draft.id);
    expect(String(house.stub.titled(title)[0]?.articles[0]?.content)).toContain("three");
  });
});

describe("a delete", () => {
  test("waits for a push that was left, and takes out what it had put there", async () => {
    const house = new DraftHouse(drafts.store);
    const title = newTitle();
    const dying = house.start({
      async fetch(address, call) {
        const answer = await house.stub.fetch(address, call);
        if (new URL(address).pathname === ADD) house.life.die();
        return answer;
      },
    });
    const draft = await dying.create(house.accountId, { articles: [article(title)], by: "me" });
    void dying.push(house.accountId, draft.id);
    await house.life.died;
    await house.start().remove(house.accountId, draft.id);
    expect(house.stub.titled(title)).toEqual([]);
  });

  test("takes out a twin that was stored long after the push was over", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const title = newTitle();
    const draft = await draftService.create(house.accountId, {
      articles: [article(title)],
      by: "me",
    });
    house.fault = faultsOf(ADD, "reset_before");
    const { receipt } = await draftService.push(house.accountId, draft.id);
    expect(receipt.sends).toBe(2);
    const [one] = house.stub.titled(title);
    if (one) house.stub.drafts.set("twin", { ...one, mediaId: "twin" });
    await draftService.remove(house.accountId, draft.id);
    expect(house.stub.titled(title)).toEqual([]);
  });

  test("is not made while the outcome of a push is unknown", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const draft = await draftService.create(house.accountId, {
      articles: [article(newTitle())],
      by: "me",
    });
    house.fault = (path) => (path === ADD || path === LIST ? "reset_after" : undefined);
    await faultOf(draftService.push(house.accountId, draft.id));
    expect((await faultOf(draftService.remove(house.accountId, draft.id))).fault).toBe(
      "platform_unknown",
    );
    expect((await draftService.find(house.accountId, draft.id)).status).toBe("unknown");
  });
});

describe("an outcome that stays unknown", () => {
  test("is told, and resolved by a later push without sending twice", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const title = newTitle();
    const draft = await draftService.create(house.accountId, {
      articles: [article(title)],
      by: "me",
    });
    house.fault = (path) =>
      path === ADD ? "reset_after" : path === LIST ? "http_before" : undefined;
    const fault = await faultOf(draftService.push(house.accountId, draft.id));
    expect(fault.fault).toBe("platform_unknown");
    expect(fault.facts.draft_id).toBe(draft.id);
    expect((await draftService.find(house.accountId, draft.id)).status).toBe("unknown");
    house.fault = () => undefined;
    const { receipt } = await draftService.push(house.accountId, draft.id);
    expect(receipt.reconciled).toBe(true);
    expect(receipt.sends).toBe(1);
    expect(house.stub.titled(title)).toHaveLength(1);
  });

  test("with several that look alike stops and says which", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const title = newTitle();
    const draft = await draftService.create(house.accountId, {
      articles: [article(title)],
      by: "me",
    });
    house.fault = (path) => {
      if (path !== ADD) return undefined;
      // Somebody copies the draft in the platform's editor before the box is read.
      queueMicrotask(() => {
        const [one] = house.stub.drafts.values();
        if (one) house.stub.drafts.set("copy", { ...one, mediaId: "copy" });
      });
      return "reset_after";
    };
    const fault = await faultOf(draftService.push(house.accountId, draft.id));
    expect(fault.fault).toBe("platform_unknown");
    expect(fault.message).toContain("copy");
    house.stub.drafts.delete("copy");
    house.fault = () => undefined;
    await draftService.push(house.accountId, draft.id);
    expect(house.stub.titled(title)).toHaveLength(1);
  });

  test("is not mistaken for another draft of the same words", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const title = newTitle();
    const form = { articles: [article(title)], by: "me" };
    const first = await draftService.create(house.accountId, form);
    const second = await draftService.create(house.accountId, form);
    const one = await draftService.push(house.accountId, first.id);
    house.fault = faultsOf(ADD, "reset_before");
    const other = await draftService.push(house.accountId, second.id);
    expect(other.receipt.mediaId).not.toBe(one.receipt.mediaId);
    expect(house.stub.titled(title)).toHaveLength(2);
  });

  test("keeps another draft of the same words from being sent meanwhile", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const form = { articles: [article(newTitle())], by: "me" };
    const first = await draftService.create(house.accountId, form);
    const second = await draftService.create(house.accountId, form);
    house.fault = (path) => (path === ADD || path === LIST ? "reset_before" : undefined);
    await faultOf(draftService.push(house.accountId, first.id));
    const fault = await faultOf(draftService.push(house.accountId, second.id));
    expect(fault.fault).toBe("push_busy");
    house.fault = () => undefined;
    await draftService.push(house.accountId, first.id);
    await draftService.push(house.accountId, second.id);
    expect(house.stub.drafts.size).toBe(2);
  });
});

/** Pushes until it is done, through faults, unknown outcomes and deaths of the process. */
async function pushThrough(house: DraftHouse, draftId: string, first: DraftService): Promise<void> {
  let draftService = first;
  for (let tries = 0; tries < 40; tries += 1) {
    const ended = await Promise.race([
      draftService.push(house.accountId, draftId).then(
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
      draftService = house.start();
      await Promise.race([draftService.recover(), house.life.died]);
      if (house.life.dead) draftService = house.start();
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
        const draftService = house.start();
        const draft = await draftService.create(house.accountId, { articles: [doc], by: "me" });
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
        await pushThrough(house, draft.id, draftService);
        const found = house.stub.titled(title).map(({ mediaId }) => mediaId);
        const kept = await house.store.drafts.find(house.accountId, draft.id);
        expect(found).toHaveLength(1);
        expect(kept).toMatchObject({ status: "in_box", mediaId: found[0], pushedVersion: 1 });
      }),
      { numRuns: count(13, 150), examples: [[DEAD_IN_DOUBT]] },
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
