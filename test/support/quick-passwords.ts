// Passwords kept in a way that takes no time. An installation's takes 0.1 s of a core for each that is given.
import type { Passwords } from "../../src/accounts/sign-in/options.ts";

const digestOf = async (password: string) =>
  new Bun.CryptoHasher("sha256").update(password).digest("hex");

export const QUICK_PASSWORDS: Passwords = {
  hash: digestOf,
  verify: async ({ hash, password }) => hash === (await digestOf(password)),
};
