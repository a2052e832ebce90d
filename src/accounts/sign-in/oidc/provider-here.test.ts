// A provider of identities on this very machine, where the environment names a proxy for the others.
import { expect, test } from "bun:test";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../../test/support/houses/people-house.ts";
import { setEnvironment } from "../../../../test/support/outside/environment.ts";
import { ForwardProxy } from "../../../../test/support/outside/forward-proxy.ts";
import { startOidcProvider } from "../../../../test/support/outside/oidc-provider.ts";

const parts = partsOfTest();

test.each(["NO_PROXY", "no_proxy"])(
  "lets people in without a call of the proxy, beside the names in %s",
  async (exceptions) => {
    const provider = parts.keep(await startOidcProvider("localhost"));
    const proxy = parts.keep(await new ForwardProxy(0).listen());
    setEnvironment(parts, {
      ...{ HTTP_PROXY: proxy.url(), http_proxy: proxy.url(), NO_PROXY: "", no_proxy: "" },
      // The browser of the test goes this way.
      [exceptions]: "127.0.0.1, other.example",
    });
    const env = {
      FAREGATE_OIDC_ACME_ISSUER: provider.issuer,
      FAREGATE_OIDC_ACME_CLIENT_ID: "client-of-faregate",
      FAREGATE_OIDC_ACME_CLIENT_SECRET: "secret",
      FAREGATE_OIDC_FAR_ISSUER: "http://provider.invalid",
      FAREGATE_OIDC_FAR_CLIENT_ID: "client-of-faregate",
      FAREGATE_OIDC_FAR_CLIENT_SECRET: "secret",
    };
    const house = await peopleHouse(parts, { env });
    house.terms = { policy: "open", credit: 0n };
    const email = "ann@example.com";
    provider.person = { sub: email, email, email_verified: true, name: "Ann" };
    const browser = house.visitor();
    const form = { provider: "acme", callbackURL: "/console" };
    const asked = await browser.post("/api/auth/sign-in/social", form);
    const { url } = (await asked.json()) as { url: string };
    await browser.get(provider.grant(new URL(url)));
    expect(await (await browser.get("/api/me")).json()).toMatchObject({ user: { email } });
    const described = "GET http://provider.invalid/.well-known/openid-configuration";
    expect(new Set(proxy.asked)).toEqual(new Set([described]));
    expect(process.env[exceptions]).toStartWith("127.0.0.1, other.example");
  },
);
