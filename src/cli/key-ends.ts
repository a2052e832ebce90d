import type { KeySummary } from "../accounts/account.ts";
import { OPEN_SECRETS_MAX } from "../accounts/accounts.ts";
import { systemClock } from "../lib/clock.ts";
import type { CommandContext } from "./context.ts";
import { typedKey } from "./key.ts";
import { mistake, readArguments, wholeNumber } from "./terminal/arguments.ts";
import { print } from "./terminal/print.ts";
import { say } from "./words/language.ts";

const HOUR_MS = 3_600_000;
const OVERLAP_HOURS_DEFAULT = 24;
const OVERLAP_HOURS_MAX = 30 * 24;

/**
 * The new secret. Where it is not known whether the key has got it, nobody hears it, and the key keeps the one it had.
 * Undefined when another one was quicker.
 */
async function exchangedSecret(
  { accounts }: CommandContext,
  key: KeySummary,
  overlapMs: number,
): Promise<string | undefined> {
  const prepared = await accounts.prepareSecret(key.id);
  if (!prepared) throw mistake("noKey", { id: key.id });
  try {
    return (await accounts.rotateKey(key, overlapMs, prepared)) && prepared.secret;
  } catch (thrown) {
    await accounts.dropSecret(prepared);
    throw thrown;
  }
}

/** Another secret for a key; the one before works on for some hours. */
export async function rotateKey(context: CommandContext, argv: readonly string[]): Promise<void> {
  const { words, options } = readArguments(argv, ["overlap-hours", "json?"]);
  const hours = wholeNumber(options, "overlap-hours") ?? OVERLAP_HOURS_DEFAULT;
  if (hours > OVERLAP_HOURS_MAX) {
    throw mistake("overlapTooLong", { option: "--overlap-hours", max: String(OVERLAP_HOURS_MAX) });
  }
  const found = await typedKey(context, words);
  const { id } = found;
  if (!context.accounts.canOverlap(found, hours * HOUR_MS)) {
    throw mistake("secretsOpen", { option: "--overlap-hours", id, max: String(OPEN_SECRETS_MAX) });
  }
  const key = await exchangedSecret(context, found, hours * HOUR_MS);
  if (key === undefined) throw mistake("keyChanged", { id });
  print(options, { id, key, overlap_hours: hours }, () =>
    [
      say("keyRotated", { id }),
      "",
      `  ${key}`,
      "",
      say("keyShownOnce"),
      hours === 0 ? say("keyFormerEnded") : say("keyFormerWorks", { hours: String(hours) }),
    ].join("\n"),
  );
}

/** Takes a key away for good. What it has used stays in the books. */
export async function deleteKey(context: CommandContext, argv: readonly string[]): Promise<void> {
  const { words, options } = readArguments(argv, ["json?"]);
  const { id } = await typedKey(context, words);
  await context.store.accounts.deleteKey(id, systemClock());
  print(options, { id, deleted: true }, () => say("keyDeleted", { id }));
}
