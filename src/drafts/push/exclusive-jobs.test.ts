// Deleting and publishing by a process that stood still for longer than it counts as living.
import { expect, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { faultOf } from "../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { DraftService } from "../draft-service.ts";

const DELETE = "/cgi-bin/draft/delete";
const SUBMIT = "/cgi-bin/freepublish/submit";
const TOKEN = "/cgi-bin/stable_token";
/** After so long it counts as dead. */
const TOO_LONG_MS = 61_000;
/** No token is good for so long. */
const TOKEN_MS = 3 * 3_600_000;

onEngines("an exclusive job that stood still, on $name", (engine) => {
  const drafts = perSuite((parts) => draftStores(parts, engine));

  /** A draft in the box; the process stands still once in a call of `path`, when that is awaited. */
  async function pushed(title: string, path: string, stillMs = TOO_LONG_MS) {
    const house = new DraftHouse(drafts.store);
    const account = house.accountId;
    const other = house.start({ publishOn: true });
    const still: { during?: (() => Promise<unknown>) | undefined } = {};
    const draftService: DraftService = house.start({
      publishOn: true,
      fetch: async (address, call) => {
        const { during } = still;
        if (during && address.includes(path)) {
          still.during = undefined;
          house.life.held = true;
          house.pass(stillMs);
          await during();
        }
        return house.stub.fetch(address, call);
      },
    });
    const { id } = await draftService.create(account, { articles: [article(title)], by: "me" });
    await draftService.push(account, id);
    const calls = (wanted: string) => house.stub.calls.filter((one) => one === wanted).length;
    return { house, account, other, draftService, id, still, calls };
  }

  test("does not delete the draft that was pushed meanwhile", async () => {
    const { house, account, other, draftService, id, still } = await pushed("overtaken", DELETE);
    still.during = () => other.push(account, id, { asNew: true });
    expect((await faultOf(draftService.remove(account, id))).fault).toBe("push_busy");
    const { status, mediaId } = await other.find(account, id);
    expect(status).toBe("in_box");
    expect([...house.stub.drafts.keys()]).toEqual([mediaId ?? ""]);
    await other.remove(account, id);
    expect(house.stub.drafts.size).toBe(0);
  });

  test("takes nothing more out of the box", async () => {
    const { account, other, draftService, id, still, calls } = await pushed("two of them", DELETE);
    await draftService.push(account, id, { asNew: true });
    still.during = async () => {};
    expect((await faultOf(draftService.remove(account, id))).fault).toBe("push_busy");
    expect(calls(DELETE)).toBe(1);
    await other.remove(account, id);
    expect((await faultOf(other.find(account, id))).fault).toBe("not_found");
  });

  test.each([
    ["", 0],
    [", though the clock was set back meanwhile", TOKEN_MS],
  ])("publishes nothing%s", async (_words, backMs) => {
    const { house, account, draftService, id, still, calls } = await pushed("too late", TOKEN);
    house.pass(TOKEN_MS);
    still.during = async () => {
      house.clockSetMs -= backMs;
    };
    expect((await faultOf(draftService.publish(account, id))).fault).toBe("push_busy");
    expect(calls(SUBMIT)).toBe(0);
    expect((await draftService.find(account, id)).status).toBe("in_box");
  });

  test("publishes nothing that was pushed when the clock was set back, though it stood still for a moment only", async () => {
    const { house, account, other, draftService, id, still, calls } = await pushed(
      "in between",
      TOKEN,
      0,
    );
    house.pass(TOKEN_MS);
    still.during = () => {
      house.clockSetMs -= TOKEN_MS;
      return other.push(account, id, { asNew: true });
    };
    expect((await faultOf(draftService.publish(account, id))).fault).toBe("push_busy");
    expect(calls(SUBMIT)).toBe(0);
    expect((await other.find(account, id)).status).toBe("in_box");
  });

  test("does not say of what was pushed meanwhile that it is being published", async () => {
    const { account, other, draftService, id, still } = await pushed("another one", SUBMIT);
    still.during = () => other.push(account, id, { asNew: true });
    await draftService.publish(account, id).catch(() => {});
    expect((await other.find(account, id)).status).toBe("in_box");
  });
});
