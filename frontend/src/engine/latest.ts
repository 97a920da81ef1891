/**
 * latest keeps at most one call running and one waiting: while one runs, only the newest of the
 * later ones is kept, and those it replaces resolve to undefined, as do calls that fail.
 */
export function latest<A, R>(run: (argument: A) => Promise<R>): (argument: A) => Promise<R | undefined> {
  let running = false;
  let waiting: { argument: A; resolve: (result: R | undefined) => void } | undefined;

  const start = async (argument: A): Promise<R | undefined> => {
    running = true;
    try {
      return await run(argument);
    } catch {
      return undefined;
    } finally {
      running = false;
      const next = waiting;
      waiting = undefined;
      if (next) void start(next.argument).then(next.resolve);
    }
  };

  return (argument) => {
    if (!running) return start(argument);
    waiting?.resolve(undefined);
    return new Promise((resolve) => (waiting = { argument, resolve }));
  };
}
