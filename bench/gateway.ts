// The gateway under test: started as an operator starts it, and its ledger read as anyone can.
import { join } from "node:path";
import { pack } from "../bin/packed.mjs";
import { GATE_RUNTIME } from "../bin/runtime.mjs";
import { PROMPT_TOKENS } from "./answer.ts";
import { type Child, type Children, freePort, runCommand } from "./children.ts";

const COMMANDS = "src/cli/main.ts";
const TOPUP_USD = "100000.00";

/** The list price of the model, in billionths of a dollar per token; kept apart from the catalogue. */
const INPUT_NANO = 400n;
const OUTPUT_NANO = 1_600n;

export interface Tenant {
  account: string;
  key: string;
}

/** Answers that clients received in full, by the length of the answer. */
export type Answered = Map<number, number>;

/** Where one gateway keeps its books; a run may have several, each with its own. */
export interface House {
  name: string;
  /** Of PostgreSQL; without it, SQLite in a folder of its own. */
  databaseUrl?: string;
  /** Where that folder is, if it is to outlive the run. */
  folder?: string;
  /** Settings of the server beside the usual ones. */
  env?: Record<string, string>;
}

const ONLY_HOUSE: House = { name: "gateway" };

function settings(children: Children, house: House): Record<string, string> {
  const { name, databaseUrl, folder = join(children.folder, `${name}-data`) } = house;
  const data = { FAREGATE_DATA: folder };
  return databaseUrl === undefined ? data : { ...data, DATABASE_URL: databaseUrl };
}

/** Serves with default settings; the vendor is the mock and the sandbox does not take part. */
export function startGateway(
  children: Children,
  upstreamPort: number,
  house: House = ONLY_HOUSE,
): Promise<Child> {
  const port = freePort();
  const env = {
    ...GATE_RUNTIME,
    ...settings(children, house),
    FAREGATE_PORT: String(port),
    FAREGATE_SANDBOX: "off",
    OPENAI_API_KEY: "sk-mock",
    OPENAI_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`,
    ...house.env,
  };
  // Packed, as an operator starts it.
  const program = pack(process.execPath) ?? COMMANDS;
  return children.start(house.name, [program, "serve"], port, env, "/readyz");
}

type Cli = <Answer>(...args: string[]) => Promise<Answer>;

/** The command line over the books of one house. */
function cliOf(children: Children, house: House): Cli {
  return async <Answer>(...args: string[]) => {
    const output = await runCommand([COMMANDS, ...args, "--json"], settings(children, house));
    return JSON.parse(output) as Answer;
  };
}

/** Creates an account with money and a key without a rate limit. */
export async function createTenant(children: Children, house: House = ONLY_HOUSE): Promise<Tenant> {
  const cli = cliOf(children, house);
  const account = await cli<{ id: string }>("account", "create", "--name", "bench");
  await cli("topup", "--account", account.id, TOPUP_USD);
  const owner = ["--account", account.id, "--name", "bench", "--rpm", "0"];
  const { key } = await cli<{ key: string }>("key", "create", ...owner);
  return { account: account.id, key };
}

/** Throws unless answers = receipts, charges = price × tokens, and the ledger's own proof holds. */
export async function checkLedger(
  children: Children,
  gatewayPort: number,
  tenant: Tenant,
  answered: Answered,
  house: House = ONLY_HOUSE,
): Promise<{ receipts: number; chargedUsd: string }> {
  const cli = cliOf(children, house);
  let answers = 0;
  let nano = 0n;
  for (const [tokens, count] of answered) {
    answers += count;
    nano += BigInt(count) * (BigInt(PROMPT_TOKENS) * INPUT_NANO + BigInt(tokens) * OUTPUT_NANO);
  }
  const usage = await cli<{ requests: number; cost: string }>("usage", "--account", tenant.account);
  if (usage.requests !== answers) {
    throw new Error(`${answers} answers were received and ${usage.requests} receipts written`);
  }
  const answer = await fetch(`http://127.0.0.1:${gatewayPort}/v1/key`, {
    headers: { authorization: `Bearer ${tenant.key}` },
  });
  const { used } = (await answer.json()) as { used: string };
  for (const [where, charged] of Object.entries({ "the key": used, "the account": usage.cost })) {
    if (usdToNano(charged) === nano) continue;
    throw new Error(`${where} was charged ${charged} USD instead of ${nano} nano-USD`);
  }
  // The command ends with 1 when a sum is wrong, which throws before this line can.
  const proof = await cli<{ ok: boolean }>("verify");
  if (proof.ok !== true) throw new Error(`verify found a fault: ${JSON.stringify(proof)}`);
  return { receipts: usage.requests, chargedUsd: used };
}

/** Reads a decimal amount exactly. What is not one becomes -1, which equals no charge. */
export function usdToNano(text: string): bigint {
  const found = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text);
  if (!found) return -1n;
  return BigInt(`${found[1]}${(found[2] ?? "").padEnd(9, "0")}`);
}
