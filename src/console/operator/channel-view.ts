import type { GateFacts } from "../../gateway/inner/gate-view.ts";
import type { StoredChannel } from "../../installation/snapshot.ts";
import type { ChannelStatus } from "../../upstream/channels/channel-state.ts";
import type { ChannelTest } from "../../upstream/channels/channel-test.ts";
import type { Channel, ChannelTest as ShownTest } from "./contract/channels.ts";
import type { OperatorServices } from "./services.ts";

/** What the rules of the file let through when it was stored. */
type StoredForm = Partial<
  Pick<
    Channel,
    | "name"
    | "vendor"
    | "weight"
    | "priority"
    | "base_url"
    | "protocols"
    | "on_disconnect"
    | "models"
  >
>;

function momentOrNull(atMs: number | undefined): string | null {
  return atMs === undefined ? null : new Date(atMs).toISOString();
}

function healthToJson(status: ChannelStatus) {
  const { lastError } = status;
  return {
    state: status.state,
    reason: status.reason ?? null,
    cooled_until: momentOrNull(status.cooledUntilMs),
    window: { attempts: status.recent.attempts, faults: status.recent.failures },
    answered_at: momentOrNull(status.answeredAtMs),
    failed_at: momentOrNull(status.failedAtMs),
    last_error: lastError
      ? {
          at: new Date(lastError.atMs).toISOString(),
          kind: lastError.kind,
          status: lastError.status ?? null,
          message: lastError.message,
        }
      : null,
    keys: status.credentials.map((credential) => ({
      last_four: credential.lastFour,
      state: credential.state,
      cooled_until: momentOrNull(credential.cooledUntilMs),
      message: credential.message ?? null,
    })),
  };
}

/** How often the vendor's counts were not what was charged, since the gate started. */
function countsToJson({ counts, startedAtMs }: GateFacts, channelId: string) {
  const { estimated = 0, clamped = 0 } = counts[channelId] ?? {};
  return { since: new Date(startedAtMs).toISOString(), estimated, clamped };
}

/** What was written of a channel, as far as it can be read: none of it must hide the others. */
export function storedWords(stored: StoredChannel | undefined): StoredForm {
  try {
    const words: unknown = JSON.parse(stored?.form ?? "{}");
    return typeof words === "object" && words !== null ? words : {};
  } catch {
    return {};
  }
}

/** What is only known of channels that were made in the console. */
function storedToJson(stored: StoredChannel | undefined) {
  const form = storedWords(stored);
  return {
    base_url: form.base_url ?? null,
    protocols: form.protocols ?? null,
    on_disconnect: form.on_disconnect ?? null,
    models: form.models ?? "vendor",
    created_at: momentOrNull(stored?.createdAtMs),
    changed_at: momentOrNull(stored?.changedAtMs),
  };
}

/** A channel whose secrets or words cannot be read any more: shown, so that it can be repaired. */
function brokenToJson(facts: GateFacts, stored: StoredChannel, problem: string): Channel {
  const form = storedWords(stored);
  return {
    object: "channel",
    id: stored.id,
    name: form.name ?? stored.id,
    vendor: form.vendor ?? null,
    origin: "console",
    enabled: false,
    weight: form.weight ?? 1,
    priority: form.priority ?? 0,
    ...storedToJson(stored),
    serves: [],
    unpriced: [],
    state: "broken",
    reason: null,
    cooled_until: null,
    window: { attempts: 0, faults: 0 },
    answered_at: null,
    failed_at: null,
    last_error: null,
    counts: countsToJson(facts, stored.id),
    keys: [],
    problem,
  };
}

/** All channels with how they are. No key is among it but for its last four characters. */
export async function channelsToJson(
  services: OperatorServices,
  fileIds: ReadonlySet<string>,
): Promise<readonly Channel[]> {
  const facts = await services.facts();
  const { routes, installation } = services;
  const { channels: stored } = installation.snapshot;
  const unpriced = new Map(routes.unpriced().map((each) => [each.channelId, each.models]));
  const statuses = new Map(facts.channels.map((status) => [status.id, status]));
  const running = routes.states.flatMap(({ channel }): Channel | [] => {
    const status = statuses.get(channel.id);
    if (!status) return [];
    const made = stored.find(({ id }) => id === channel.id);
    const origin: Channel["origin"] = channel.embedded
      ? "sandbox"
      : made
        ? "console"
        : fileIds.has(channel.id)
          ? "faregate.yaml"
          : "environment";
    return {
      object: "channel",
      id: channel.id,
      name: channel.name,
      vendor: channel.vendor,
      origin,
      enabled: channel.enabled,
      weight: channel.weight,
      priority: channel.priority,
      ...storedToJson(made),
      serves: routes.modelsOf(channel.id).map(({ id }) => id),
      unpriced: unpriced.get(channel.id) ?? [],
      ...healthToJson(status),
      counts: countsToJson(facts, channel.id),
      problem: null,
    };
  });
  const broken = stored
    .filter(({ id }) => !statuses.has(id))
    .map((each) => {
      const problem = installation.problems.get(`channel ${each.id}`) ?? "It is not open.";
      return brokenToJson(facts, each, problem);
    });
  return [...running, ...broken];
}

/** The worst of what the keys met; each of them beside it. */
export function testToJson(test: ChannelTest): ShownTest {
  const failed = test.credentials.find(({ ok }) => !ok);
  const shown = failed ?? test.credentials[0];
  return {
    object: "channel_test",
    ok: failed === undefined,
    method: test.method,
    model: test.model ?? null,
    status: shown?.status ?? null,
    latency_ms: Math.max(...test.credentials.map(({ latencyMs }) => latencyMs)),
    error: failed?.error ?? null,
    keys: test.credentials.map((each) => ({
      last_four: each.lastFour,
      ok: each.ok,
      status: each.status ?? null,
      latency_ms: each.latencyMs,
      error: each.error ?? null,
    })),
  };
}
