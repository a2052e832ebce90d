import { type Clock, every } from "../lib/clock.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import type { Log } from "../telemetry/log.ts";
import type {
  AccountFacts,
  AlertFacts,
  ChannelFacts,
  HouseFacts,
  ModelEnd,
  UsualHours,
} from "./facts.ts";
import type { NoticeLimits } from "./limits.ts";
import type { NoticeWriter } from "./notice-writer.ts";
import {
  type AlertMark,
  CallsSinceLook,
  isInputLoss,
  judge,
  type Reading,
  readAccount,
  readChannels,
  readInputLosses,
  spendsEnough,
} from "./rules.ts";
import { type AlertSettings, DEFAULT_SETTINGS } from "./settings.ts";
import type { NoticesTable } from "./tables/notices.ts";

const ACCOUNTS_AT_ONCE = 100;
const HOUR_MS = 3_600_000;
const NANO_PER_DOLLAR = 1e9;
const LEASE = "accounts";

interface WatchParts {
  readonly store: NoticesTable;
  readonly facts: AlertFacts;
  readonly house: HouseFacts;
  readonly writer: NoticeWriter;
  readonly limits: NoticeLimits;
  readonly clock: Clock;
  readonly log: Log;
}

function nameOf(mark: Pick<AlertMark, "accountId" | "rule" | "subject">): string {
  return `${mark.accountId} ${mark.rule} ${mark.subject}`;
}

/** Looks whether something happened that people want to hear of, and writes that down once. */
export class AlertWatch {
  readonly #parts: WatchParts;
  /** What is usual does not change within an hour, so it is asked once in each. */
  readonly #usual = new Map<string, UsualHours>();
  readonly #calls = new CallsSinceLook();
  #usualHour = 0;
  #looking: Promise<void> | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  start(tasks: TaskGroup): () => void {
    return every(this.#parts.limits.alert_look_ms, () => tasks.run(this.look()));
  }

  /** One look at a time; a slow one is not overtaken by the next. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { store, limits, clock } = this.#parts;
    const nowMs = clock();
    await this.#lookAtChannels(nowMs);
    // A little less than the time between two looks, or one process would miss every other turn.
    const leaseMs = Math.floor((limits.alert_look_ms * 9) / 10);
    const lastMs = await store.takeLease(LEASE, nowMs, leaseMs);
    if (lastMs === undefined) return;
    await this.#lookAtInputLosses(nowMs);
    await this.#lookAtAccounts(Math.min(lastMs, nowMs - limits.alert_activity_ms), nowMs);
    await store.endLease(LEASE, nowMs);
  }

  /** None where nobody can say how they are: accounts are told of theirs all the same. */
  async #channels(): Promise<readonly ChannelFacts[]> {
    const { house, log } = this.#parts;
    try {
      return await house.channels();
    } catch (thrown) {
      log.warn("channels_not_looked_at", { thrown });
      return [];
    }
  }

  /** Every process for itself: each has its own experience with the vendors. */
  async #lookAtChannels(nowMs: number): Promise<void> {
    const { store, house } = this.#parts;
    const accountId = await house.operatorAccountId();
    const channels = await this.#channels();
    const readings = readChannels(channels, (channel) => this.#calls.take(channel));
    if (accountId === undefined || readings.length === 0) return;
    const settings = (await store.settings([accountId])).get(accountId) ?? DEFAULT_SETTINGS;
    if (!settings.vendorDown) return;
    const marks = await this.#marks([accountId]);
    await this.#apply(accountId, readings, settings, marks, nowMs);
  }

  /** The alert of a day ends with the day. */
  async #lookAtInputLosses(nowMs: number): Promise<void> {
    const { facts, house, store, limits } = this.#parts;
    const accountId = await house.operatorAccountId();
    if (accountId === undefined) return;
    const beyond = BigInt(Math.round(limits.loss_account_day * NANO_PER_DOLLAR));
    const readings = readInputLosses(await facts.inputLosses(nowMs, beyond));
    const marks = await this.#marks([accountId]);
    for (const last of marks.values()) {
      const isOver = isInputLoss(last) && !readings.some(({ subject }) => subject === last.subject);
      if (isOver) await store.arm(last);
    }
    if (readings.length === 0) return;
    const settings = (await store.settings([accountId])).get(accountId) ?? DEFAULT_SETTINGS;
    if (settings.vendorDown) await this.#apply(accountId, readings, settings, marks, nowMs);
  }

  async #lookAtAccounts(sinceMs: number, nowMs: number): Promise<void> {
    const { facts, house } = this.#parts;
    this.#forgetHour(nowMs);
    const modelEnds = house.modelEnds();
    const active = await facts.active(sinceMs, nowMs);
    for (let from = 0; from < active.length; from += ACCOUNTS_AT_ONCE) {
      await this.#lookAtSome(active.slice(from, from + ACCOUNTS_AT_ONCE), modelEnds, nowMs);
    }
  }

  async #lookAtSome(
    some: readonly AccountFacts[],
    modelEnds: readonly ModelEnd[],
    nowMs: number,
  ): Promise<void> {
    const { store, limits } = this.#parts;
    const ids = some.map(({ accountId }) => accountId);
    const chosen = await store.settings(ids);
    const marks = await this.#marks(ids);
    const floorCents = limits.alert_spend_floor_cents;
    for (const account of some) {
      const { accountId } = account;
      const settings = chosen.get(accountId) ?? DEFAULT_SETTINGS;
      const compared = settings.spendSpike && spendsEnough(account, floorCents);
      const usual = compared ? await this.#usualHours(accountId, nowMs) : undefined;
      const last = (rule: string) => marks.get(nameOf({ accountId, rule, subject: "" }));
      const view = { settings, usual, modelEnds, floorCents, last };
      const readings = readAccount(account, view, nowMs);
      await this.#apply(accountId, readings, settings, marks, nowMs);
    }
  }

  #forgetHour(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour !== this.#usualHour) this.#usual.clear();
    this.#usualHour = hour;
  }

  async #usualHours(accountId: string, nowMs: number): Promise<UsualHours> {
    const known = this.#usual.get(accountId);
    if (known) return known;
    const usual = await this.#parts.facts.usualHours(accountId, nowMs);
    this.#usual.set(accountId, usual);
    return usual;
  }

  async #marks(accountIds: readonly string[]): Promise<ReadonlyMap<string, AlertMark>> {
    const marks = await this.#parts.store.marks(accountIds);
    return new Map(marks.map((mark) => [nameOf(mark), mark]));
  }

  async #apply(
    accountId: string,
    readings: readonly Reading[],
    settings: AlertSettings,
    marks: ReadonlyMap<string, AlertMark>,
    nowMs: number,
  ): Promise<void> {
    const { store } = this.#parts;
    for (const reading of readings) {
      const { rule, subject, mark } = reading;
      const last = marks.get(nameOf({ accountId, rule, subject }));
      const verdict = judge(reading, last, nowMs);
      if (verdict === "fire") {
        const fired = { accountId, rule, subject, mark, seenAtMs: nowMs };
        await this.#fire(fired, last, reading, settings);
      } else if (last && verdict === "see") await store.see({ ...last, seenAtMs: nowMs });
      else if (last && verdict === "arm") await store.arm(last);
    }
  }

  async #fire(
    mark: AlertMark,
    last: AlertMark | undefined,
    { occurrence, silent }: Reading,
    settings: AlertSettings,
  ) {
    const { store, writer, log } = this.#parts;
    const { accountId } = mark;
    const notices = silent ? [] : await writer.write(accountId, occurrence, settings);
    const alert = silent ? undefined : writer.reportedAlert(occurrence);
    const first = await store.fire(mark, notices, last, alert);
    if (!first || silent) return;
    const { kind } = occurrence;
    log.info("alert", { account: accountId, kind, subject: mark.subject, notices: notices.length });
  }
}
