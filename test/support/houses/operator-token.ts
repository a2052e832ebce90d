import { OperatorTokens } from "../../../src/accounts/people/operator-tokens.ts";
import { peopleStores } from "../../../src/accounts/tables/open.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { TestServer } from "../../server.ts";

/** With which programs do what operators may. */
export function operatorToken(server: TestServer): Promise<string> {
  return server.beside(async ({ store }) => {
    const { tokens, members } = peopleStores(store.sql, systemClock);
    const made = new OperatorTokens({
      ...{ store: tokens, memberships: members, clock: systemClock },
      audit: { write: async () => {} },
    });
    const maker = { userId: undefined, name: "tests", operator: true };
    return (await made.create({ name: "tests" }, maker)).secret;
  });
}
