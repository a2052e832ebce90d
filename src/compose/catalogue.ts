import { type Catalogue, shippedCatalogue } from "../catalogue/models.ts";
import { withStored } from "../catalogue/stored-models.ts";
import type { Config } from "../config/config.ts";
import { modelWords } from "../installation/installation.ts";
import { SnapshotRows } from "../installation/tables/snapshot.ts";
import type { Store } from "../store/store.ts";

/** What ships, with what the operator's file adds and changes. */
export function catalogueOf({ file }: Pick<Config, "file">): Catalogue {
  const shipped = shippedCatalogue();
  return file ? shipped.withOverrides(file) : shipped;
}

/** The same with what was set in the console, for a command that is typed beside a server. */
export async function catalogueNow(
  config: Pick<Config, "file">,
  { sql }: Pick<Store, "sql">,
): Promise<Catalogue> {
  const said = modelWords(await new SnapshotRows(sql).load());
  // What does not fit any more is not served either; the server says why.
  return withStored(catalogueOf(config), said, () => {});
}
