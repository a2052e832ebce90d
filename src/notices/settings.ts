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
