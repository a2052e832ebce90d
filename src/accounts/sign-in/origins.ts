/** Set by us on every request, from the connection: what a client sends under this name is lost. */
export const ADDRESS_HEADER = "x-faregate-client-address";

export const AUTH_PATH = "/api/auth";

/** Where the console is reached. */
export interface Origins {
  /** What people are told, and links in mails begin with. */
  readonly own: string;
  /** All pages whose requests are ours. */
  readonly trusted: readonly string[];
}

interface Address {
  readonly publicUrl: string | undefined;
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = ["localhost", "127.0.0.1"];

/**
 * The public address if there is one, and both names of this machine. Without a public address the
 * own one is `localhost`: passkeys are bound to a name, and a number is none.
 */
export function originsOf({ publicUrl, host, port }: Address): Origins {
  const everywhere = host === "0.0.0.0" || host === "::";
  const names = everywhere || LOOPBACK.includes(host) ? LOOPBACK : [...LOOPBACK, host];
  const local = names.map((name) => `http://${name.includes(":") ? `[${name}]` : name}:${port}`);
  const own = publicUrl === undefined ? `http://localhost:${port}` : new URL(publicUrl).origin;
  return { own, trusted: [...new Set([own, ...local])] };
}

/** Behind the number sign, so that the token never reaches a log or another site. */
export function resetLink(origin: string, token: string): string {
  return `${origin}/console/reset-password#${token}`;
}
