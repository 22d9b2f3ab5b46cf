/** Ends the run with the plain line that the continuous integration reads: "N passed, N failed". */
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export default class Count implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    // An error that no test caught fails the run: it stands in the line, too.
    const counts = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) {
        const { state } = test.result()
        counts[state === 'pending' ? 'skipped' : state] += 1
      }
      // A file that could not even be loaded has no tests, and is a failure all the same.
      if (tests.length === 0 && module.state() === 'failed') counts.failed += 1
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}
