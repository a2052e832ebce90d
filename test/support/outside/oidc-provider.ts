// A provider of OpenID Connect that vouches for whoever a test names.

interface Claims {
  readonly sub: string;
  readonly email: string;
  /** A truth, but for providers that write it as a text. */
  readonly email_verified: boolean | string;
  readonly name: string;
}

interface OidcProvider {
  readonly issuer: string;
  /** Who signs in next. */
  person: Claims;
  /** What comes of a question for its description, which a test has it answer badly. */
  describe: (description: Response) => Response | Promise<Response>;
  /** Whether it names itself in its answers, and says that it does. */
  namesItself: boolean;
  /** Called when a code is brought to it. */
  redeemed: () => void;
  /** What the client asked for, as the provider's page would see it. */
  grant(authorization: URL): string;
  stop(): Promise<void>;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

function makeKeys(): Promise<CryptoKeyPair> {
  const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  return crypto.subtle.generateKey({ ...algorithm, ...size }, true, ["sign", "verify"]);
}

let made: ReturnType<typeof makeKeys> | undefined;

export async function startOidcProvider(hostname = "127.0.0.1"): Promise<OidcProvider> {
  // The same for all of a process: to find them takes long.
  made ??= makeKeys();
  const keys = await made;
  const jwk = await crypto.subtle.exportKey("jwk", keys.publicKey);
  const nonces = new Map<string, string | null>();

  const idToken = async (audience: string, nonce: string | null) => {
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: provider.issuer, aud: audience, iat, exp: iat + 60, ...provider.person };
    const body = `${encode({ alg: "RS256", kid: "k" })}.${encode({ ...claims, ...(nonce && { nonce }) })}`;
    const signed = await crypto.subtle.sign(algorithm, keys.privateKey, Buffer.from(body));
    return `${body}.${Buffer.from(signed).toString("base64url")}`;
  };

  /** Where the client wants its answer, with a code for it. */
  const grantOf = ({ searchParams }: URL) => {
    const code = crypto.randomUUID();
    nonces.set(code, searchParams.get("nonce"));
    const redirect = new URL(searchParams.get("redirect_uri") ?? "");
    redirect.searchParams.set("code", code);
    redirect.searchParams.set("state", searchParams.get("state") ?? "");
    if (provider.namesItself) redirect.searchParams.set("iss", provider.issuer);
    return redirect;
  };

  const server = Bun.serve({
    hostname,
    port: 0,
    routes: {
      "/.well-known/openid-configuration": () => {
        const description = Response.json({
          issuer: provider.issuer,
          authorization_endpoint: `${provider.issuer}/authorize`,
          token_endpoint: `${provider.issuer}/token`,
          userinfo_endpoint: `${provider.issuer}/userinfo`,
          jwks_uri: `${provider.issuer}/jwks`,
          id_token_signing_alg_values_supported: ["RS256"],
          ...(provider.namesItself && { authorization_response_iss_parameter_supported: true }),
        });
        return provider.describe(description);
      },
      // Its page asks nothing: whoever comes is whom the test named.
      "/authorize": ({ url }) => Response.redirect(grantOf(new URL(url)).href),
      "/jwks": () => Response.json({ keys: [{ ...jwk, kid: "k", alg: "RS256", use: "sig" }] }),
      "/token": async (request) => {
        provider.redeemed();
        const form = new URLSearchParams(await request.text());
        const nonce = nonces.get(form.get("code") ?? "");
        if (nonce === undefined) return Response.json({ error: "invalid_grant" }, { status: 400 });
        return Response.json({
          access_token: "access",
          token_type: "Bearer",
          expires_in: 60,
          id_token: await idToken("client-of-faregate", nonce),
        });
      },
    },
    fetch: () => new Response("nothing here", { status: 404 }),
  });
  const provider: OidcProvider = {
    issuer: `http://${hostname}:${server.port}`,
    person: { sub: "1", email: "nobody@example.com", email_verified: true, name: "Nobody" },
    describe: (description) => description,
    namesItself: false,
    redeemed() {},
    grant(authorization) {
      const { pathname, search } = grantOf(authorization);
      return pathname + search;
    },
    stop: () => server.stop(true),
  };
  return provider;
}
