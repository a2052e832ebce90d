import { type Environment, webAddress } from "./environment.ts";
import { ConfigError } from "./members.ts";

/** All of these variables or none: a half of them would take money and credit none. */
function allOf<Name extends string>(
  env: Environment,
  names: readonly Name[],
): Record<Name, string> | undefined {
  const missing = names.filter((name) => !env[name]);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) throw new ConfigError(`${missing.join(" and ")} must be set too.`);
  return Object.fromEntries(names.map((name) => [name, env[name]])) as Record<Name, string>;
}

/** Accounts with payment providers, where there are any. */
export function readPaymentAccounts(env: Environment) {
  const stripe = allOf(env, ["FAREGATE_STRIPE_SECRET_KEY", "FAREGATE_STRIPE_WEBHOOK_SECRET"]);
  const epay = allOf(env, ["FAREGATE_EPAY_URL", "FAREGATE_EPAY_PID", "FAREGATE_EPAY_KEY"]);
  return {
    stripe: stripe && {
      secretKey: stripe.FAREGATE_STRIPE_SECRET_KEY,
      webhookSecret: stripe.FAREGATE_STRIPE_WEBHOOK_SECRET,
    },
    epay: epay && {
      url: webAddress("FAREGATE_EPAY_URL", epay.FAREGATE_EPAY_URL),
      pid: epay.FAREGATE_EPAY_PID,
      key: epay.FAREGATE_EPAY_KEY,
    },
  };
}
