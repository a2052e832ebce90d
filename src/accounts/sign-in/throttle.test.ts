import { expect, setSystemTime, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { type PeopleHouse, peopleHouse } from "../../../test/support/houses/people-house.ts";

const ATTEMPTS = 3;
const DAY_MS = 24 * 3_600_000;

onEngines("the throttle of the sign-in on $name", (engine) => {
  const env = { FAREGATE_SIGN_IN_ATTEMPTS_MAX: String(ATTEMPTS) };
  const trusting = { ...env, FAREGATE_TRUSTED_PROXIES: "127.0.0.0/8" };
  const house = perSuite((parts) => peopleHouse(parts, { engine, env }));
  const proxied = perSuite((parts) => peopleHouse(parts, { engine, env: trusting }));

  const tryIn = async (at: PeopleHouse, headers: Record<string, string>) => {
    const body = { email: "nobody@example.com", password: "a wrong password" };
    const response = await at.visitor().send("POST", "/api/auth/sign-in/email", body, headers);
    return response;
  };

  test("is not fooled by addresses that a client makes up", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < ATTEMPTS + 2; i++) {
      const address = `203.0.113.${i}`;
      const headers = { "x-forwarded-for": address, "x-faregate-client-address": address };
      statuses.push((await tryIn(house, headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const late = await tryIn(house, {});
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("keeps no count of what nobody may ask for, of which there is no end", async () => {
    const counts = () => house.sql.query("select name from sign_in_attempts order by name");
    const before = await counts();
    const visitor = house.visitor();
    const paths = ["nothing", "sign-in/nothing", "x".repeat(4_000)];
    for (const path of paths) expect((await visitor.get(`/api/auth/${path}`)).status).toBe(404);
    for (const path of ["reset-password/a", "callback/a"]) await visitor.get(`/api/auth/${path}`);
    expect(await counts()).toEqual(before);
    expect((await visitor.get("/api/auth/get-session")).status).toBe(200);
  });

  test("is over for what was tried before a clock was set back", async () => {
    const email = "patient@example.com";
    const at = { "x-forwarded-for": "203.0.113.50" };
    await proxied.owner(email);
    setSystemTime(new Date(Date.now() + DAY_MS));
    const statuses: number[] = [];
    for (let i = 0; i <= ATTEMPTS; i++) statuses.push((await tryIn(proxied, at)).status);
    setSystemTime();
    expect(statuses).toEqual([401, 401, 401, 429]);
    const right = { email, password: PASSWORD };
    const entered = await proxied.visitor().send("POST", "/api/auth/sign-in/email", right, at);
    expect(entered.status).toBe(200);
  });

  test("counts each client of a trusted proxy by itself", async () => {
    for (let i = 0; i < ATTEMPTS; i++) {
      expect((await tryIn(proxied, { "x-forwarded-for": "203.0.113.7" })).status).toBe(401);
    }
    expect((await tryIn(proxied, { "x-forwarded-for": "203.0.113.7" })).status).toBe(429);
    expect((await tryIn(proxied, { "x-forwarded-for": "203.0.113.8" })).status).toBe(401);
    // What a client puts in front of the proxy's word is not listened to.
    const claimed = { "x-forwarded-for": "203.0.113.99, 203.0.113.7" };
    expect((await tryIn(proxied, claimed)).status).toBe(429);
  });
});
