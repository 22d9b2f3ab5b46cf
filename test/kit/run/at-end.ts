/**
 * What a test leaves behind is removed at its end. Scripts use the kit, too, and have no runner of tests: they may not
 * import vitest, and remove by themselves.
 */
type AtEnd = (close: () => void | Promise<void>) => void

let runner: AtEnd = () => {}

/** `setup.ts` gives the runner's own. */
export function useRunner(atEnd: AtEnd): void {
  runner = atEnd
}

export const onTestFinished: AtEnd = (close) => runner(close)
