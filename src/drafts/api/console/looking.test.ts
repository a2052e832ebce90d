import { expect, test } from "bun:test";
import { article, DraftHouse, draftStores } from "../../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../../test/support/houses/house.ts";
import { ask, openGuards } from "../../../../test/support/houses/open-guards.ts";
import { STUB_URL } from "../../../../test/support/outside/wechat-stub.ts";
import type { ConsoleDoorServices } from "../services.ts";
import { draftsConsoleRoutes } from "./routes.ts";

const drafts = perSuite(draftStores);
const MINUTE_MS = 60_000;

/** A draft in a box, and the page that has it open. */
async function openPage({ isReal }: { readonly isReal: boolean }) {
  const house = new DraftHouse(drafts.store);
  const draftService = house.start({ publishOn: true });
  const { accountId, stub } = house;
  const { appid, secret } = stub;
  const real = { name: "real", appid, secret, platformUrl: STUB_URL, publishAllowed: true };
  if (isReal) await draftService.publicAccounts.add(accountId, real);
  const { id } = await draftService.create(accountId, { articles: [article("open")], by: "me" });
  const mediaId = (await draftService.push(accountId, id)).receipt.mediaId;
  const services = {
    ...{ draftService, limits: { draft_body_bytes_max: 10_000, upload_ms: MINUTE_MS } },
    calls: { counted: (_kind: string, handle: unknown) => handle },
  } as unknown as ConsoleDoorServices;
  const routes = draftsConsoleRoutes(services, openGuards({ roles: { [accountId]: "viewer" } }));
  const look = async () => {
    const answer = await ask(routes, "GET", `/api/accounts/${accountId}/drafts/look?draft=${id}`);
    return (await answer.json()) as { readonly changed?: number };
  };
  /** As a page does while the draft is under way. */
  const watch = async (times: number, everyMs: number) => {
    const before = stub.calls.length;
    let changed = 0;
    for (let time = 0; time < times; time++) {
      changed += (await look()).changed ?? 0;
      house.pass(everyMs);
    }
    return { changed, calls: stub.calls.length - before };
  };
  const publish = () => draftService.publish(accountId, id);
  const status = async () => (await draftService.find(accountId, id)).status;
  return { house, stub, mediaId, look, watch, publish, status };
}

test("a page that waits for a publish asks somebody else's platform once a minute", async () => {
  const { stub, watch, publish, status } = await openPage({ isReal: true });
  stub.publishStatus = 1;
  expect((await publish()).status).toBe("publishing");
  expect(await watch(60, 3_000)).toEqual({ changed: 0, calls: 3 });
  stub.publishStatus = 0;
  expect(await watch(1, 0)).toEqual({ changed: 1, calls: 1 });
  expect(await status()).toBe("published");
});

test("a page that is opened again and again looks into somebody else's box once a minute", async () => {
  const { stub, mediaId, watch, status } = await openPage({ isReal: true });
  expect(await watch(20, 3_000)).toEqual({ changed: 0, calls: 1 });
  stub.publishThere(mediaId);
  expect((await watch(20, 3_000)).changed).toBe(1);
  expect(await status()).toBe("published");
});

test("a page asks the built-in platform each time", async () => {
  const { stub, mediaId, look, watch } = await openPage({ isReal: false });
  expect(await watch(5, 0)).toEqual({ changed: 0, calls: 5 });
  stub.publishThere(mediaId);
  expect(await look()).toEqual({ changed: 1 });
});

test("a platform that does not answer changes nothing for a page", async () => {
  const { house, look, status } = await openPage({ isReal: false });
  house.fault = () => "unreachable";
  expect(await look()).toEqual({ changed: 0 });
  expect(await status()).toBe("in_box");
});
