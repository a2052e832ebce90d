// The gateway on PostgreSQL, beside the one on SQLite, with a database server of its own.
import { startPostgres } from "../../test/engines/postgres.ts";
import { ANSWER_TOKENS } from "../answer.ts";
import type { Children } from "../children.ts";
import { checkLedger, createTenant, startGateway } from "../gateway.ts";
import type { Server } from "../rounds.ts";
import { postgresRoots } from "./cost.ts";

export interface PostgresHouse {
  readonly server: Server;
  /** Throws unless the books are right, as they are proved on SQLite. */
  prove(answers: number): Promise<unknown>;
  stop(): Promise<void>;
}

export async function openPostgresHouse(
  children: Children,
  upstreamPort: number,
): Promise<PostgresHouse> {
  const postgres = await startPostgres();
  const house = { name: "gateway-postgresql", databaseUrl: await postgres.createDatabase() };
  const gateway = await startGateway(children, upstreamPort, house);
  const tenant = await createTenant(children, house);
  const { pid, port } = gateway;
  return {
    server: { name: "postgresql", pid, port, key: tenant.key, databaseRoots: postgresRoots() },
    prove: (answers) =>
      checkLedger(children, port, tenant, new Map([[ANSWER_TOKENS, answers]]), house),
    stop: () => children.stop(gateway).finally(() => postgres.stop()),
  };
}
