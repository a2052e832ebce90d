/** How browsers say that a module did not come; some name its address last. */
const MISSING = /module/i;
const ADDRESS = /https?:\S+$/;

/** Whether code of ours could not be loaded: the network is away, or the server has another version by now. */
export function isMissingCode(error: unknown): boolean {
  return error instanceof TypeError && MISSING.test(error.message);
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
