import { existsSync, statfsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { systemClock } from "../../lib/clock.ts";
import {
  pendingUpgrades,
  type RoomUpgrade,
  servingInstances,
} from "../../store/pending-upgrade.ts";
import { filesIn } from "../../store/sqlite/files.ts";
import { isServed } from "../../store/sqlite/owner/client.ts";
import { bytes } from "../doctor/disk-check.ts";
import { lines } from "../doctor/doctor.ts";
import { environmentCheck } from "../doctor/environment-check.ts";
import { type Finding, findingJson, found } from "../doctor/finding.ts";
import type { Environment } from "../draft/draft-server.ts";
import { mistake, readOptions } from "../terminal/arguments.ts";
import { print } from "../terminal/print.ts";
import { spokenLanguage, WORDS } from "../words/language.ts";
import { fill } from "../words/messages.ts";
import { lastBackup } from "./last-backup.ts";

const TO_DO_EXIT = 1;
const CANNOT_EXIT = 2;
const DAY_MS = 86_400_000;
/** An upgrade copies the largest tables at most once, beside their log. */
const SIZES_NEEDED = 2;

const isPending = ({ found, wanted }: RoomUpgrade) => found < wanted;

function tablesFindings(upgrades: readonly RoomUpgrade[] | undefined): Finding[] {
  if (!upgrades) return [found("tables", "ok", "tablesNone")];
  const refused = upgrades.flatMap(({ refusal }) => refusal ?? []);
  if (refused.length > 0) {
    return refused.map((reason) => found("tables", "problem", "tablesRefused", { reason }));
  }
  const pending = upgrades.filter(isPending);
  if (pending.length === 0) return [found("tables", "ok", "tablesCurrent")];
  const rooms = pending
    .map(({ room, found: from, wanted }) => `${room} ${from} → ${wanted}`)
    .join(", ");
  return [found("tables", "ok", "tablesOlder", { rooms })];
}

function sizeOf(folder: string): number {
  const { money, responses, console } = filesIn(folder);
  return [money, responses, console]
    .flatMap((path) => [path, `${path}-wal`])
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function diskFindings({ databaseUrl, dataDir }: Config): Finding[] {
  if (databaseUrl !== undefined || !existsSync(dataDir)) return [];
  const { bavail, bsize } = statfsSync(dataDir);
  const [free, size] = [bavail * bsize, sizeOf(dataDir)];
  const values = { free: bytes(free), size: bytes(size) };
  return free >= SIZES_NEEDED * size
    ? [found("disk", "ok", "upgradeRoom", values)]
    : [found("disk", "warning", "upgradeRoomShort", values)];
}

/** A backup matters if something changes: without that, its age alone is nothing to do. */
function backupFinding({ databaseUrl, dataDir }: Config, isChange: boolean): Finding {
  const state = isChange ? "warning" : "ok";
  if (databaseUrl !== undefined) return found("backup", state, "backupByDump");
  const last = lastBackup(dataDir);
  if (!last) return found("backup", state, "backupNone");
  const values = { at: new Date(last.atMs).toISOString(), file: last.file };
  const isFresh = systemClock() - last.atMs < DAY_MS && existsSync(last.file);
  return isFresh
    ? found("backup", "ok", "backupFresh", values)
    : found("backup", state, "backupOld", values);
}

async function instancesFinding(config: Config, keepsOlder: boolean): Promise<Finding> {
  const { databaseUrl, dataDir } = config;
  const running =
    databaseUrl !== undefined
      ? await servingInstances(config)
      : isServed(dataDir)
        ? [resolve(dataDir)]
        : [];
  if (running.length === 0) return found("instances", "ok", "instancesNone");
  const values = { names: running.join(", ") };
  return keepsOlder
    ? found("instances", "ok", "instancesGoOn", values)
    : found("instances", "warning", "instancesStop", values);
}

async function examine(config: Config, env: Environment): Promise<Finding[]> {
  const upgrades = await pendingUpgrades(config);
  const pending = (upgrades ?? []).filter(isPending);
  const keepsOlder = pending.every((each) => each.keepsOlder);
  const settings = environmentCheck(env, config).filter(({ code }) => code.startsWith("setting"));
  return [
    ...tablesFindings(upgrades),
    ...settings,
    ...diskFindings(config),
    ...(upgrades ? [backupFinding(config, pending.length > 0)] : []),
    ...(upgrades ? [await instancesFinding(config, keepsOlder)] : []),
    ...(pending.length === 0
      ? []
      : [
          keepsOlder
            ? found("return", "ok", "returnPossible")
            : found("return", "warning", "returnByBackup"),
        ]),
  ];
}

/**
 * `upgrade --check`: says what the next start of this version changes, before it does. The exit code is 0 if there is
 * nothing to do, 1 if there is, 2 if this version cannot start.
 */
export async function upgrade(
  config: Config,
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const options = readOptions(argv, ["check?", "json?"]);
  if (options.check !== true) throw mistake("upgradeOnlyChecks");
  const findings = await examine(config, env);
  const isRefused = findings.some(({ state }) => state === "problem");
  const toDo = findings.filter(({ state }) => state === "warning").length;
  const value = { ok: !isRefused && toDo === 0, can_start: !isRefused, to_do: toDo };
  print(options, { ...value, findings: findings.map(findingJson) }, () => {
    const words = WORDS[spokenLanguage()].doctor;
    const sum = isRefused
      ? words.sum_upgradeNot
      : toDo > 0
        ? fill(words.sum_upgradeToDo, { count: toDo })
        : words.sum_upgradeNone;
    return [...lines(findings), "", sum].join("\n");
  });
  if (isRefused) return CANNOT_EXIT;
  return toDo > 0 ? TO_DO_EXIT : 0;
}
