import { describe, expect, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";

const drafts = perSuite(draftStores);

function open() {
  const house = new DraftHouse(drafts.store);
  return { house, draftService: house.start(), account: house.accountId };
}

describe("a token that somebody else keeps", () => {
  const SOURCE = "https://tokens.test/mp";

  async function central(tokenOf: (asked: number) => string | Promise<string>) {
    const { house, account } = open();
    let asked = 0;
    const draftService = house.start({
      async fetch(address, call) {
        if (address !== SOURCE) return house.stub.fetch(address, call);
        asked += 1;
        const body = { access_token: await tokenOf(asked), expires_in: 7_200 };
        const bytes = new TextEncoder().encode(JSON.stringify(body));
        return { status: 200, headers: {}, bytes, url: address };
      },
    });
    const supplied = { url: SOURCE, bearer: undefined };
    const form = { name: "central", appid: house.stub.appid, supplied };
    const { id } = await draftService.publicAccounts.add(account, form);
    const draft = await draftService.create(account, {
      ...{ articles: [article("central")], by: "me", publicAccount: id },
    });
    const push = () => draftService.push(account, draft.id);
    return { house, draftService, account, id, push, asked: () => asked };
  }

  const platformAsked = (calls: readonly string[]) =>
    calls.filter((path) => path.includes("token")).length;

  test("is asked for again once when it is stale, and the platform never for one", async () => {
    const world = await central((asked) => (asked === 1 ? "stale" : world.house.stub.token()));
    expect((await world.push()).draft.status).toBe("in_box");
    expect(world.asked()).toBe(2);
    expect(platformAsked(world.house.stub.calls)).toBe(0);
  });

  test("that stays stale is a fault that names its source", async () => {
    const { push, asked, house } = await central(() => "stale");
    const fault = await faultOf(push());
    expect(fault).toMatchObject({ fault: "token_unavailable", facts: { errcode: 40001 } });
    expect(fault.message).toContain("https://tokens.test");
    expect(fault.message).not.toContain("AppSecret");
    expect(asked()).toBe(2);
    expect(platformAsked(house.stub.calls)).toBe(0);
  });

  test("and was handed to us is a fault once it is stale, until there is another one", async () => {
    const { house, draftService, account } = open();
    const supplied = { url: undefined, bearer: undefined };
    const form = { name: "handed", appid: house.stub.appid, supplied };
    const { id } = await draftService.publicAccounts.add(account, form);
    const hand = (token: string) =>
      draftService.publicAccounts.supplyToken(account, id, { token, expiresInS: 7_200 });
    const draft = await draftService.create(account, {
      ...{ articles: [article("handed")], by: "me", publicAccount: id },
    });
    await hand("stale");
    const fault = await faultOf(draftService.push(account, draft.id));
    expect(fault).toMatchObject({ fault: "token_unavailable", facts: { errcode: 40001 } });
    expect(fault.message).toContain(`PUT /v1/wechat/accounts/${id}/token`);
    await hand(house.stub.token());
    expect((await draftService.push(account, draft.id)).draft.status).toBe("in_box");
    expect(platformAsked(house.stub.calls)).toBe(0);
  });
});
