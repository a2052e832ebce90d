import type { Config } from "../../config/config.ts";
import type { ChannelConfig } from "../../config/file.ts";
import { CUSTOM_VENDOR, VENDORS, type Vendor, type VendorEndpoint } from "../vendors.ts";

/** A channel as the environment or the operator's file describes it. */
export type ChannelSettings = Omit<ChannelConfig, "where" | "vendor" | "free" | "allow"> &
  Partial<Pick<ChannelConfig, "free" | "allow">> & {
    /** The id of a row, or `custom`. */
    readonly vendor: string;
  };

type Addresses = ReadonlyMap<VendorEndpoint, string>;

/** The row of a vendor. Whoever has none is spoken to as the file says. */
export function rowOf(settings: ChannelSettings): Vendor {
  const row = VENDORS.find(({ id }) => id === settings.vendor);
  if (row) return row;
  const spoken = settings.protocols.length > 0 ? settings.protocols : (["chat"] as const);
  const protocols: Partial<Record<VendorEndpoint, string>> = {};
  for (const endpoint of spoken) protocols[endpoint] = "";
  // Whoever speaks chat has embeddings at the same place, if at all.
  if (protocols.chat !== undefined) protocols.embeddings = "";
  return { ...CUSTOM_VENDOR, protocols };
}

/** An address of the operator's with the path that the vendor needs, unless it is there already. */
function behind(base: string, path: string): string {
  return base.endsWith(path) ? base : base + path;
}

/**
 * Where each protocol is. An address of the operator's replaces the main one and what shares it. The
 * vendor's other addresses are left out then: a key for one place must not be sent to another.
 */
export function addressesOf(row: Vendor, baseUrl: string | undefined): Addresses {
  const entries = Object.entries(row.protocols) as [VendorEndpoint, string][];
  const main = row.protocols[row.mainProtocol ?? entries[0]?.[0] ?? "chat"];
  const base = baseUrl?.replace(/\/+$/, "");
  return new Map(
    entries.flatMap(([endpoint, address]): [VendorEndpoint, string][] => {
      const placed = address !== "" && !address.startsWith("/");
      if (base === undefined) return placed ? [[endpoint, address]] : [];
      if (!placed) return [[endpoint, behind(base, address)]];
      return address === main ? [[endpoint, behind(base, row.basePath ?? "")]] : [];
    }),
  );
}

/** The keys and the address that the environment has for a vendor, if it is to be a channel. */
function environmentOf(row: Vendor, config: Pick<Config, "vendor">) {
  for (const variable of row.keyVariables) {
    const found = config.vendor(variable, row.baseUrlVariable, row.keyOptional);
    if (found) return { baseUrl: found.baseUrl, keys: found.apiKeys };
  }
  return undefined;
}

/** The channels that need no file: a vendor whose key is set, a server whose address is. */
export function environmentChannels(config: Pick<Config, "vendor">): ChannelSettings[] {
  return VENDORS.flatMap((row) => {
    const found = environmentOf(row, config);
    if (!found || addressesOf(row, found.baseUrl).size === 0) return [];
    return {
      id: row.id,
      vendor: row.id,
      name: row.name,
      ...found,
      protocols: [],
      weight: 1,
      priority: 0,
      models: row.fetchModels ? "fetch" : "vendor",
      enabled: true,
      onDisconnect: undefined,
      headers: {},
    };
  });
}
