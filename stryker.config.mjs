/** Mutation testing: what holds for every part. `npm run mutants [part]` (scripts/mutants.mts) adds the files and the reports. */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.mts', related: false },
  // Stryker would rewrite the paths in it with the API of TypeScript, which TypeScript 7 no longer has.
  tsconfigFile: 'none',
  // The compiler refuses nearly every emptied string that decides something (a state, a code, the name of a member); the others
  // are the words of messages.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  incremental: true,
  concurrency: 2,
  // A machine that has others to serve is slow; a loop without an end is found by its number of steps first.
  timeoutMS: 20_000,
  ignorePatterns: ['dist', 'dist-*', 'coverage'],
  reporters: ['clear-text', 'html', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
}
