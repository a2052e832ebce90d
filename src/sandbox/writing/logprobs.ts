import { hash } from "../hash.ts";

/** How likely a token was, as the OpenAI wire shows it. */
interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

export interface TokenLogprobs extends TokenLogprob {
  readonly top_logprobs: readonly TokenLogprob[];
}

const encoder = new TextEncoder();

const OTHERS = (
  "the a of to and in is it that for on with as was at by be this have from or one had not but " +
  "what all were when we"
)
  .split(" ")
  .map((word) => entry(` ${word}`, 0));

/** Made up, but the same for the same token, always negative, and falling down the list. */
export function logprobsOf(token: string, alternatives: number): TokenLogprobs {
  const own = entry(token, -0.001 - (hash(token) % 500) / 1_000);
  const top: TokenLogprob[] = alternatives > 0 ? [own] : [];
  const start = hash(token) % OTHERS.length;
  for (let step = 0; top.length < alternatives; step += 1) {
    const other = OTHERS[(start + step) % OTHERS.length];
    const logprob = rounded(own.logprob - 1 - step * 0.25);
    if (other !== undefined && other.token !== token) top.push({ ...other, logprob });
  }
  return { ...own, top_logprobs: top };
}

function entry(token: string, logprob: number): TokenLogprob {
  return { token, logprob: rounded(logprob), bytes: [...encoder.encode(token)] };
}

function rounded(logprob: number): number {
  return Math.round(logprob * 1e4) / 1e4;
}
