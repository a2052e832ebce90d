/** A channel that was made in the console. */
export interface StoredChannel {
  readonly id: string;
  /** Its description in the words of the file, as JSON, without what is secret. */
  readonly form: string;
  /** Its keys and headers, sealed. */
  readonly secrets: string;
  readonly revivedAtMs: number;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** What the console says of a channel that the environment or the file describes. */
export interface ChannelSwitch {
  readonly channelId: string;
  readonly off: boolean;
  readonly revivedAtMs: number;
}

/** What the console says of a model, in the words of the file, as JSON without a price. */
export interface StoredModel {
  readonly id: string;
  readonly definition: string;
  readonly createdAtMs: number;
}

/** One price of a model, in the words of the file, as JSON. */
export interface StoredPrice {
  readonly id: string;
  readonly modelId: string;
  readonly effectiveFromMs: number;
  readonly price: string;
  readonly createdAtMs: number;
  /** Who set it. */
  readonly createdBy: string;
}

/** Everything that operators have set, as it was at one revision or later. */
export interface OperatorSnapshot {
  readonly revision: number;
  readonly channels: readonly StoredChannel[];
  readonly switches: readonly ChannelSwitch[];
  readonly models: readonly StoredModel[];
  /** By model, the earliest first. */
  readonly prices: readonly StoredPrice[];
  readonly settings: Readonly<Record<string, string>>;
}
