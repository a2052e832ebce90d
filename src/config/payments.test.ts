import { describe, expect, test } from "bun:test";
import { readPaymentAccounts } from "./payments.ts";

const EPAY = {
  FAREGATE_EPAY_URL: "https://epay.example/",
  FAREGATE_EPAY_PID: "1001",
  FAREGATE_EPAY_KEY: "k",
};

describe("accounts with payment providers", () => {
  test("are absent by default", () => {
    expect(readPaymentAccounts({})).toEqual({ stripe: undefined, epay: undefined });
    expect(readPaymentAccounts({ FAREGATE_EPAY_KEY: "" }).epay).toBeUndefined();
  });

  test("are read whole", () => {
    const env = { FAREGATE_STRIPE_SECRET_KEY: "sk", FAREGATE_STRIPE_WEBHOOK_SECRET: "whsec" };
    expect(readPaymentAccounts({ ...env, ...EPAY })).toEqual({
      stripe: { secretKey: "sk", webhookSecret: "whsec" },
      epay: { url: "https://epay.example", pid: "1001", key: "k" },
    });
  });

  test("a half of them stops the start and names what is missing", () => {
    expect(() => readPaymentAccounts({ FAREGATE_STRIPE_SECRET_KEY: "sk" })).toThrow(
      "FAREGATE_STRIPE_WEBHOOK_SECRET must be set too.",
    );
    expect(() => readPaymentAccounts({ FAREGATE_EPAY_PID: "1" })).toThrow(
      "FAREGATE_EPAY_URL and FAREGATE_EPAY_KEY must be set too.",
    );
  });

  test("an address that is none stops the start", () => {
    for (const url of ["epay.example", "ftp://epay.example"]) {
      expect(() => readPaymentAccounts({ ...EPAY, FAREGATE_EPAY_URL: url })).toThrow(
        "FAREGATE_EPAY_URL is not an address",
      );
    }
  });
});
