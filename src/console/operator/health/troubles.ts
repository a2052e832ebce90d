import type { GateHealth } from "../../../gateway/inner/gate-view.ts";
import type { DiskSpace } from "../../../lib/files/disk-space.ts";
import type { OutboxTrouble } from "../../../notices/notice.ts";
import { isBurst } from "../../../telemetry/calls.ts";
import type { ChannelStatus } from "../../../upstream/channels/channel-state.ts";
import { TROUBLE_KINDS, type Trouble } from "../contract/health.ts";

const MB = 1024 ** 2;
const GB = 1024 ** 3;
/** A disk is low or full below so much room, or below this share of it where it is small. */
const DISK_LOW = { bytes: GB, percent: 10 };
const DISK_FULL = { bytes: 100 * MB, percent: 2 };
/** Fewer requests that nobody could serve, or a smaller share of all, are no outage. */
const UNAVAILABLE_MIN = 3;
const UNAVAILABLE_PERCENT = 5;

/** What is known at one moment. What could not be asked is undefined. */
export interface HealthFacts {
  readonly gate: GateHealth | undefined;
  readonly folder: string;
  readonly disk: DiskSpace | undefined;
  readonly outbox: OutboxTrouble | undefined;
  /** By `channel ID` or `model ID`. */
  readonly problems: ReadonlyMap<string, string>;
}

/** A trouble before its beginning is known. */
interface Found
  extends Omit<Trouble, "since" | "severity" | "name" | "detail" | "count" | "total"> {
  readonly severity?: "warn";
  readonly sinceMs?: number | undefined;
  readonly name?: string | null;
  readonly detail?: string | null | undefined;
  readonly count?: number;
  readonly total?: number;
}

function diskTrouble({ disk, folder }: HealthFacts): Found[] {
  if (!disk) return [];
  const { freeBytes: count, totalBytes: total } = disk;
  const isBelow = ({ bytes, percent }: typeof DISK_LOW) =>
    count < Math.min(bytes, (total * percent) / 100);
  if (isBelow(DISK_FULL)) return [{ kind: "disk_full", subject: folder, count, total }];
  if (!isBelow(DISK_LOW)) return [];
  return [{ kind: "disk_low", severity: "warn", subject: folder, count, total }];
}

function channelTrouble(status: ChannelStatus): Found[] {
  const { id: subject, name, state, reason, recent, failedAtMs: sinceMs, lastError } = status;
  if (!status.enabled) return [];
  const common = { subject, name, sinceMs, detail: lastError?.message };
  const away = status.credentials.filter((key) => key.state !== "ok");
  switch (state) {
    case "refused":
      return [{ ...common, kind: "channel_refused", detail: away[0]?.message ?? common.detail }];
    case "failing":
      return [{ ...common, kind: "channel_failing" }];
    case "trial":
      return [{ ...common, kind: "channel_down" }];
    case "cooled":
      if (reason === "quota") return [{ ...common, kind: "channel_quota" }];
      if (reason === "rate") return [{ ...common, kind: "channel_limited", severity: "warn" }];
      return [{ ...common, kind: "channel_down" }];
    default:
  }
  if (isBurst(recent)) {
    const { failures: count, attempts: total } = recent;
    return [{ ...common, kind: "channel_errors", severity: "warn", count, total }];
  }
  // A key that is refused or has no quota left needs somebody; a rate limit passes by itself.
  const lost = away.filter((key) => key.state === "refused" || key.exhausted);
  if (lost.length === 0) return [];
  const total = status.credentials.length;
  return [{ ...common, kind: "channel_keys", severity: "warn", count: lost.length, total }];
}

function gateTroubles({ gate }: HealthFacts): Found[] {
  if (!gate) return [{ kind: "gate_away", subject: null }];
  const { storage, recent, channels } = gate;
  const found = channels.flatMap(channelTrouble);
  const { requests: total, unavailable: count } = recent;
  if (count >= UNAVAILABLE_MIN && count * 100 >= total * UNAVAILABLE_PERCENT) {
    found.push({ kind: "unavailable", subject: null, count, total });
  }
  if (storage) {
    const { sinceMs, reason: detail } = storage;
    found.push({ kind: "storage_down", subject: null, sinceMs, detail });
  }
  return found;
}

function settingTroubles({ problems }: HealthFacts): Found[] {
  return [...problems].map(([subject, detail]) => {
    const [kind = "", id = subject] = subject.split(" ");
    const isChannel = kind === "channel";
    return { kind: isChannel ? "channel_broken" : "model_broken", subject: id, name: id, detail };
  });
}

function outboxTrouble({ outbox }: HealthFacts): Found[] {
  if (!outbox) return [];
  const { waiting, givenUp, sinceMs, error: detail } = outbox;
  return [
    { kind: "notices", severity: "warn", subject: null, sinceMs, detail, count: waiting + givenUp },
  ];
}

function rank({ kind, severity }: Trouble): number {
  return (severity === "bad" ? 0 : TROUBLE_KINDS.length) + TROUBLE_KINDS.indexOf(kind);
}

/** Decides what is wrong, and remembers since when. */
export class Troubles {
  readonly #sinceMs = new Map<string, number>();

  /** The worst first. */
  of(facts: HealthFacts, nowMs: number): readonly Trouble[] {
    const found = [
      ...gateTroubles(facts),
      ...diskTrouble(facts),
      ...settingTroubles(facts),
      ...outboxTrouble(facts),
    ];
    const names = found.map(({ kind, subject }) => `${kind} ${subject ?? ""}`);
    for (const name of this.#sinceMs.keys()) if (!names.includes(name)) this.#sinceMs.delete(name);
    return found
      .map(({ sinceMs, ...each }, at) => {
        const name = names[at] ?? "";
        const since = this.#sinceMs.get(name) ?? sinceMs ?? nowMs;
        this.#sinceMs.set(name, since);
        return {
          ...{ severity: "bad" as const, name: null, count: null, total: null, ...each },
          detail: each.detail ?? null,
          since: new Date(since).toISOString(),
        };
      })
      .toSorted((one, other) => rank(one) - rank(other));
  }
}
