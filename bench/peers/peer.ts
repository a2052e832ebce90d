// What a plug-in tells of one gateway: how it is installed, started, asked, and what it writes down.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MODEL, SNAPSHOT } from "../answer.ts";
import type { Child, Children } from "../children.ts";

export interface Peer {
  id: string;
  title: string;
  /** What sets it apart from another row of the same gateway. */
  variant?: string;
  /** What it writes down of a request in this set-up, in a few words. */
  books: string;
  /** Puts it into its own folder of the run, or throws with what is missing. */
  install(site: Site): Promise<Installed>;
  /** Starts it in front of the mock; it need not be ready yet. */
  start(site: Site): Promise<Running>;
}

interface Installed {
  version: string;
  /** What it runs on, with the version. */
  runtime: string;
}

/** Where one peer lives for the length of a run. */
export interface Site {
  children: Children;
  /** Its own folder, removed with the run. */
  folder: string;
  /** The address of the mock, up to and with /v1. */
  vendorUrl: string;
  vendorPort: number;
}

export interface Running {
  port: number;
  path: string;
  key: string;
  headers?: Record<string, string>;
  /** The name under which it is asked for the model; the vendor's unless it says otherwise. */
  model: string;
  /** The name under which it answers, where that is known. */
  answersAs: string | null;
  /** Every process whose tree works for it, a database included. */
  roots: number[];
  /** Proves the books of the run, where there are books to prove; throws when they are wrong. */
  prove?(answered: number): Promise<BooksProof>;
  stop(): Promise<void>;
}

export interface BooksProof {
  receipts: number;
  chargedUsd: string;
}

/** Not a fault of the peer: something that this machine does not have. */
export class Missing extends Error {}

export function siteOf(children: Children, peer: Pick<Peer, "id">, vendorPort: number): Site {
  const folder = join(children.folder, peer.id);
  mkdirSync(folder, { recursive: true });
  return { children, folder, vendorPort, vendorUrl: `http://127.0.0.1:${vendorPort}/v1` };
}

/** A running peer that takes chat requests at the usual place, and whose child is all there is of it. */
export function chatServer(children: Children, child: Child): Running {
  return {
    port: child.port,
    path: "/v1/chat/completions",
    key: "sk-mock",
    model: MODEL,
    answersAs: SNAPSHOT,
    roots: [child.pid],
    stop: () => children.stop(child),
  };
}
