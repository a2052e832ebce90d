// Loaded into a server before its program: the process dies by kill -9 at an answer's settlement, before or
// after it is on disk, or is held still before it, once the file that DIE_AT_SETTLEMENT names says so. What must
// be written before it has been written by then.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { Ledger } from "../../src/ledger/ledger.ts";

const file = process.env.DIE_AT_SETTLEMENT ?? "";
const { settle } = Ledger.prototype;

function isTold(word: "before" | "after" | "stop"): boolean {
  return existsSync(file) && readFileSync(file, "utf8") === word;
}

async function dieIf(moment: "before" | "after"): Promise<void> {
  if (!isTold(moment)) return;
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => {});
}

/** Nothing of it runs until it is resumed. That the file is gone tells the test, and lets all others go on. */
function stopIfTold(): void {
  if (!isTold("stop")) return;
  rmSync(file);
  process.kill(process.pid, "SIGSTOP");
}

Ledger.prototype.settle = async function (settlement, first, timeBudget) {
  const dying = async () => {
    await first?.();
    await dieIf("before");
    stopIfTold();
  };
  await settle.call(this, settlement, dying, timeBudget);
  await dieIf("after");
};
