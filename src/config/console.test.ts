import { describe, expect, test } from "bun:test";
import { ConfigError, readConfig } from "./config.ts";

const ACME = {
  FAREGATE_OIDC_ACME_ISSUER: "https://id.acme.example/",
  FAREGATE_OIDC_ACME_CLIENT_ID: "c",
  FAREGATE_OIDC_ACME_CLIENT_SECRET: "s",
};

describe("settings of the console", () => {
  test("nobody signs up uninvited, and nothing is given away, unless it is said", () => {
    const { signup, signupCredit, oidc, secret } = readConfig({});
    expect({ signup, signupCredit, oidc, secret }).toEqual({
      signup: "invite",
      signupCredit: "0",
      oidc: [],
      secret: undefined,
    });
  });

  test("a provider is read by its name", () => {
    expect(readConfig(ACME).oidc).toEqual([
      {
        id: "acme",
        name: "Acme",
        issuer: "https://id.acme.example",
        clientId: "c",
        clientSecret: "s",
      },
    ]);
  });

  test.each([
    [{ FAREGATE_SIGNUP: "everybody" }, /FAREGATE_SIGNUP/],
    [{ FAREGATE_SIGNUP_CREDIT: "1e3" }, /FAREGATE_SIGNUP_CREDIT/],
    [{ FAREGATE_SIGNUP_CREDIT: "1000000.01" }, /FAREGATE_SIGNUP_CREDIT is "1000000.01"/],
    [{ FAREGATE_SIGNUP_CREDIT: "5000000" }, /FAREGATE_SIGNUP_CREDIT is "5000000"/],
    [{ FAREGATE_SECRET: "short" }, /FAREGATE_SECRET is too short/],
    [{ ...ACME, FAREGATE_OIDC_ACME_CLIENT_ID: "" }, /ACME_CLIENT_ID is missing/],
    [{ ...ACME, FAREGATE_OIDC_ACME_ISSUER: "acme" }, /ACME_ISSUER is not an address/],
  ])("refuses %j", (env, words) => {
    const read = () => readConfig(env as Record<string, string>);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(words);
  });
});
