/** Where an account's notices go beside its owners' mail. */
export interface WebhookSettings {
  readonly url: string;
  readonly sealedSecret: string;
  readonly enabled: boolean;
  /** Whether an operator was the last to change it. Of one from before this was kept, nobody knows. */
  readonly byOperator: boolean;
  /** In a row; the first success sets it back. */
  readonly failures: number;
  readonly lastError: string | null;
}

/** What was made of a webhook, and what it was before. Null where there is none. */
export interface Replaced {
  readonly webhook: WebhookSettings | null;
  readonly before: WebhookSettings | null;
}

/** One secret is for one host. */
export function hostOf({ url }: Pick<WebhookSettings, "url">): string {
  return new URL(url).host;
}

function isAsChosen(now: WebhookSettings | null, chosen: WebhookSettings | null): boolean {
  return (["url", "enabled", "byOperator", "sealedSecret"] as const).every(
    (name) => now?.[name] === chosen?.[name],
  );
}

/**
 * What a webhook is once a change of it is undone. Where somebody has chosen something else since, that stays: only a
 * secret that nobody was told makes room for the one before.
 */
export function putBack(
  now: WebhookSettings | null,
  { webhook, before }: Replaced,
): WebhookSettings | null {
  if (isAsChosen(now, webhook)) return before;
  const isUntold = now && before && now.sealedSecret === webhook?.sealedSecret;
  if (!isUntold || hostOf(now) !== hostOf(before)) return now;
  return { ...now, sealedSecret: before.sealedSecret };
}

/** What an account wants to hear of. */
export interface AlertSettings {
  readonly lowBalance: boolean;
  /** In nano-dollars; null for a fifth of what was credited last. */
  readonly lowBalanceThreshold: bigint | null;
  readonly budgets: boolean;
  readonly spendSpike: boolean;
  readonly modelDeprecation: boolean;
  /** Concerns the operator's account alone. */
  readonly vendorDown: boolean;
  readonly email: boolean;
  readonly webhook: WebhookSettings | null;
}

/** Warnings are for everybody who has not switched them off. */
export const DEFAULT_SETTINGS: AlertSettings = {
  lowBalance: true,
  lowBalanceThreshold: null,
  budgets: true,
  spendSpike: true,
  modelDeprecation: true,
  vendorDown: true,
  email: true,
  webhook: null,
};
