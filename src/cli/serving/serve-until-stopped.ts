import { type Stoppable, type Stopping, untilStopped } from "./stopping.ts";

interface Served<App> extends Omit<Stopping, "app"> {
  /** Opens its doors. */
  start(): Promise<App>;
  /** What is left to do and to say once they are open. */
  greet(app: App): Promise<void>;
}

/**
 * Serves, and listens for the word to stop from before the doors open. Told so meanwhile, it stops what has come up as
 * soon as it is there; the greeting may then fail. Resolves with the exit code.
 */
export async function serveUntilStopped<App extends Stoppable>(
  served: Served<App>,
): Promise<number> {
  const { start, greet, ...stopping } = served;
  const starting = Promise.withResolvers<App>();
  // Whoever started it is told.
  starting.promise.catch(() => {});
  let isEnding = false;
  const app: Stoppable = {
    async stop(drained) {
      isEnding = true;
      await (await starting.promise).stop(drained);
    },
    abandon() {
      isEnding = true;
      void starting.promise.then(
        (started) => started.abandon?.(),
        () => {},
      );
    },
  };
  const stopped = untilStopped({ ...stopping, app });
  start().then(starting.resolve, starting.reject);
  const greeted = greet(await starting.promise).catch((thrown: unknown) => {
    if (!isEnding) throw thrown;
  });
  await Promise.race([greeted, stopped]);
  return stopped;
}
