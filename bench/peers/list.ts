// Everyone who takes part. A new gateway is one file beside this one and one line here.
import { bifrost, bifrostLogged } from "./bifrost.ts";
import { faregatePostgres, faregateSqlite } from "./faregate.ts";
import { litellm, litellmPostgres } from "./litellm.ts";
import { nginx } from "./nginx.ts";
import type { Peer } from "./peer.ts";
import { portkey } from "./portkey.ts";
import { relay } from "./relay.ts";
import { tensorzero } from "./tensorzero.ts";

export const PEERS: readonly Peer[] = [
  nginx,
  relay,
  faregateSqlite,
  faregatePostgres,
  tensorzero,
  bifrost,
  bifrostLogged,
  portkey,
  litellm,
  litellmPostgres,
];

/** Those whose ids stand in the list, in the order of the table; all without a list. */
export function chosenPeers(list: string | undefined): Peer[] {
  if (list === undefined) return [...PEERS];
  const ids = list.split(",").map((id) => id.trim());
  const unknown = ids.find((id) => !PEERS.some((peer) => peer.id === id));
  if (unknown !== undefined) {
    const known = PEERS.map(({ id }) => id).join(", ");
    throw new Error(`--only names ${JSON.stringify(unknown)}; there are ${known}`);
  }
  return PEERS.filter(({ id }) => ids.includes(id));
}
