// Faregate as an operator starts it, on each of its two databases. Its books are proved after the run.

import { version } from "../../package.json";
import { startPostgres } from "../../test/engines/postgres.ts";
import { ANSWER_TOKENS, MODEL } from "../answer.ts";
import { checkLedger, createTenant, type House, startGateway } from "../gateway.ts";
import { postgresRoots } from "../postgres/cost.ts";
import { chatServer, type Peer, type Running, type Site } from "./peer.ts";

const BOOKS = "hold, ledger and receipt, on disk";

async function install() {
  return { version, runtime: `Bun ${Bun.version}` };
}

async function start({ children, vendorPort }: Site, house: House): Promise<Running> {
  const child = await startGateway(children, vendorPort, house);
  const tenant = await createTenant(children, house);
  return {
    ...chatServer(children, child),
    key: tenant.key,
    answersAs: MODEL,
    prove: (answered) =>
      checkLedger(children, child.port, tenant, new Map([[ANSWER_TOKENS, answered]]), house),
  };
}

export const faregateSqlite: Peer = {
  id: "faregate-sqlite",
  title: "Faregate",
  variant: "SQLite",
  books: BOOKS,
  install,
  start: (site) => start(site, { name: "faregate-sqlite" }),
};

export const faregatePostgres: Peer = {
  id: "faregate-postgresql",
  title: "Faregate",
  variant: "PostgreSQL",
  books: BOOKS,
  install,
  async start(site) {
    const before = new Set(postgresRoots());
    const postgres = await startPostgres();
    const databaseUrl = await postgres.createDatabase();
    const running = await start(site, { name: "faregate-postgresql", databaseUrl });
    return {
      ...running,
      roots: [...running.roots, ...postgresRoots().filter((pid) => !before.has(pid))],
      stop: () => running.stop().finally(() => postgres.stop()),
    };
  },
};
