/** How browsers say that a module did not come; some name its address last. */
const MISSING = /module/i;
const ADDRESS = /https?:\S+$/;

/** Code of ours did not come because there is nobody to send it. */
class UnsentCode extends Error {
  override readonly name = "UnsentCode";
}

/** Whether code of ours could not be loaded: the network is away, or the server has another version by now. */
export function isMissingCode(error: unknown): boolean {
  const isUnknown = error instanceof TypeError && MISSING.test(error.message);
  return isUnknown || error instanceof UnsentCode;
}

/** Whether the console could be loaded now. */
export function isServerThere(): Promise<boolean> {
  return fetch("/console", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** A browser does not ask again for a module that it has missed, so the whole document is loaded again. */
export async function reloadDocument(): Promise<void> {
  if (await isServerThere()) location.reload();
}

let asked = 0;

/**
 * Code that comes when it is needed. A browser does not ask again for a module that once did not come, until the
 * page is loaded anew; by another address it does.
 */
export async function loaded<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (thrown) {
    const [address] = (isMissingCode(thrown) && ADDRESS.exec(String(thrown))) || [];
    if (!address) throw thrown;
    asked += 1;
    return import(`${address}?again=${asked}`);
  }
}

/**
 * The code of a page, as it is asked for. Where a module does not come, the router loads the whole document anew, as is
 * right for a server with another version. From one that is away the browser's own page would come in place of the
 * console, so the router is not told of a module then.
 */
export async function sent<Page>(page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch (thrown) {
    if (!isMissingCode(thrown) || (await isServerThere())) throw thrown;
    throw new UnsentCode("the server is away", { cause: thrown });
  }
}
