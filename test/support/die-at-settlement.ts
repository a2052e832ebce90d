// Loaded into a server before its program: the process dies by kill -9 at an answer's settlement, before or
// after it is on disk, once the file that DIE_AT_SETTLEMENT names says so. What must be written before it
// has been written by then.
import { existsSync, readFileSync } from "node:fs";
import { Ledger } from "../../src/ledger/ledger.ts";

const file = process.env.DIE_AT_SETTLEMENT ?? "";
const { settle } = Ledger.prototype;

async function dieIf(moment: "before" | "after"): Promise<void> {
  if (!existsSync(file) || readFileSync(file, "utf8") !== moment) return;
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => {});
}

Ledger.prototype.settle = async function (settlement, first, allowance) {
  const dying = async () => {
    await first?.();
    await dieIf("before");
  };
  await settle.call(this, settlement, dying, allowance);
  await dieIf("after");
};
