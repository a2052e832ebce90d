import { NO_LEEWAY } from "../../src/admission/judge.ts";
import { NO_USAGE } from "../../src/protocols/usage.ts";
import type { SimStore } from "./store.ts";

/** Bugs that are put in on purpose, to see that the simulation finds them. */
export type PlantedBug =
  | "skipped void"
  | "double post"
  | "lost usage"
  | "false input"
  | "hard as soft";

/** Of a program that takes a balance for something that may be passed, as it does hard budgets. */
const SOFT = { hard: false, overdraft: 10n ** 12n };

/** Every so many settlements of its kind go wrong. */
const EVERY = 3;

const NO_LIMITS = { requestsPerMinute: 0, tokensPerMinute: 0, concurrency: 0 };

type Settle = SimStore["ledger"]["settle"];

function buggy(store: SimStore, bug: Exclude<PlantedBug, "hard as soft">): Settle {
  const { admission, ledger } = store;
  const settle: Settle = (settlement) => ledger.settle(settlement);
  let met = 0;
  const strikes = () => ++met % EVERY === 0;
  switch (bug) {
    case "skipped void":
      return async (settlement) =>
        settlement.kind === "void" && strikes() ? "done" : settle(settlement);
    case "double post":
      return async (settlement) => {
        const done = await settle(settlement);
        if (settlement.kind !== "post" || !strikes()) return done;
        const { receipt } = settlement;
        const requestId = `${receipt.requestId}_again`;
        const { accountId, keyId, model, endpoint, stream } = receipt;
        const free = { worst: 0n, floor: 0n, least: 0n, inputCost: 0n };
        const hold = { ...free, ...NO_LEEWAY, tokens: 0, countRate: false, behind: null };
        const planned = { requestId, accountId, keyId, model, endpoint, stream, channel: "" };
        await admission.admit({ ...planned, ...hold, limits: NO_LIMITS });
        await settle({ ...settlement, receipt: { ...receipt, requestId } });
        return done;
      };
    case "false input":
      return async (settlement) => {
        const { receipt } = settlement;
        if (receipt.inputLoss === 0n || !strikes()) return settle(settlement);
        const usage = { ...receipt.usage, fresh: receipt.usage.fresh + 3_000 };
        return settle({ ...settlement, receipt: { ...receipt, usage } });
      };
    case "lost usage":
      return async (settlement) => {
        const { receipt } = settlement;
        if (receipt.usageSource !== "vendor" || settlement.kind !== "post" || !strikes()) {
          return settle(settlement);
        }
        const charge = { lines: [], amount: 0n };
        return settle({ ...settlement, receipt: { ...receipt, usage: NO_USAGE, charge } });
      };
  }
}

export function withBug(store: SimStore, bug: PlantedBug | undefined): SimStore {
  if (bug === undefined) return store;
  if (bug === "hard as soft") {
    const { admission } = store;
    const admit: typeof admission.admit = (planned) => admission.admit({ ...planned, ...SOFT });
    return { ...store, admission: { raise: (planned) => admission.raise(planned), admit } };
  }
  return { ...store, ledger: { ...store.ledger, settle: buggy(store, bug) } };
}
