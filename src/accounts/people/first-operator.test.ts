// The first visitor of an installation, whose link is still good, and who says whose it is.
import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { bodyOf, PASSWORD } from "../../../test/support/browser.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";

const HOUR_MS = 3_600_000;
const person = (email: string) => ({ email, name: "Op", password: PASSWORD });
const parts = partsOfTest();

describe.each(ENGINES)("the first operator on $name", (engine) => {
  async function setUp() {
    const house = await peopleHouse(parts, { engine });
    const open = (token: string) => house.visitor().post("/api/operator-link/open", { token });
    return { house, open };
  }

  test("is told before filling anything in whether the link is good, and whether it is the first", async () => {
    const { house, open } = await setUp();
    const token = await house.services.links.create();
    expect(await bodyOf(open(token))).toEqual({ first: true });
    // To look at it does not use it up.
    const joined = { token, ...person("op@example.com"), company: "Acme GmbH" };
    await bodyOf(house.visitor().post("/api/operator-link", joined));
    const used = await open(token);
    expect(used.status).toBe(404);
    expect(await used.json()).toMatchObject({
      error: { param: "token", message: expect.stringContaining("faregate operator link") },
    });
    const next = await house.services.links.create();
    expect(await bodyOf(open(next))).toEqual({ first: false });
    house.laterMs = HOUR_MS;
    expect((await open(next)).status).toBe(404);
  });

  test("names the operator's account, and nobody after", async () => {
    const { house } = await setUp();
    const come = async (email: string, company: unknown) => {
      const token = await house.services.links.create();
      const browser = house.visitor();
      const answer = await browser.post("/api/operator-link", {
        ...{ token, ...person(email), company },
      });
      return { browser, status: answer.status, body: (await answer.json()) as object };
    };
    const first = await come("op@example.com", "  Acme GmbH ");
    expect(first.status).toBe(200);
    const me = await bodyOf<{ accounts: unknown }>(first.browser.get("/api/me"));
    expect(me.accounts).toMatchObject([{ name: "Acme GmbH" }]);
    const second = await come("op2@example.com", "Mine now");
    expect(second).toMatchObject({ status: 400, body: { error: { param: "company" } } });
    expect((await come("op3@example.com", " ")).status).toBe(400);
  });
});

test.each([
  [false, true],
  [true, false],
])(
  "whether mail can be sent is told before anybody signs in (mailless: %p)",
  async (mailless, mail) => {
    const house = await peopleHouse(parts, { mailless });
    expect(await bodyOf(house.visitor().get("/api/sign-in-options"))).toMatchObject({ mail });
  },
);
