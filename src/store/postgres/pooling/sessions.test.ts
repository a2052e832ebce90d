import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { POSTGRES } from "../../../../test/store/engines.ts";
import { failureOf } from "../../../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../../../test/support/houses/house.ts";
import { mustKeepSessions } from "./sessions.ts";

describe("a session that was opened with settings", () => {
  const site = perSuite(POSTGRES.site);
  const parts = partsOfTest();
  const connection = (settings: Record<string, string>) =>
    parts.keep(
      new SQL(String(site.settings.DATABASE_URL), { max: 1, connection: { ...settings } }),
    );

  const SET = {
    plan_cache_mode: "force_generic_plan",
    default_transaction_isolation: "read committed",
  };

  test("is one where it has all of them", async () => {
    await mustKeepSessions(connection(SET), connection({}), SET);
  });

  test.each(Object.keys(SET))("is none where %s was dropped on the way", async (name) => {
    const others = Object.entries(SET).filter(([each]) => each !== name);
    // What the database would have by itself.
    const without = {
      default_transaction_isolation: "serializable",
      ...Object.fromEntries(others),
    };
    const failure = await failureOf(mustKeepSessions(connection(without), connection({}), SET));
    expect(failure.name).toBe("ConfigError");
    expect(failure.message).toContain("Add ?prepare=false to DATABASE_URL");
  });
});
