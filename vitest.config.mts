import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that run in this process share what they import: loading it takes longer than most of them do. */
const shared = ['test/lib/**/*.test.ts', 'test/commands/**/*.test.ts', 'test/safety/*.test.ts', 'test/*.test.ts']

/** Tests of what stands on a store run on both engines. */
const onBothEngines = [
  'test/lib/journal/lease.test.ts',
  'test/lib/journal/limits.test.ts',
  'test/lib/journal/attempts.test.ts',
  'test/lib/approvals/approvals.test.ts',
  'test/lib/journal/journal.test.ts',
  'test/lib/journal/purge.test.ts',
  'test/lib/store/journal/digest.test.ts',
  'test/lib/listing/list.test.ts',
]

/** A test that needs more says how much, and why. Hooks start databases and browsers. */
const patience = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 15_000 } },
  setupFiles: 'test/kit/run/setup.ts',
}

/** For all that runs the tests. */
export const ground = {
  globalSetup: 'test/kit/run/built.ts',
  disableConsoleIntercept: true,
  // Two cores; many tests start processes of their own and wait for them.
  maxWorkers: 4,
  reporters: ['default', './test/kit/run/count.ts'],
  ...patience,
}

export default defineConfig({
  test: {
    ...ground,
    projects: [
      { test: { name: 'shared', include: shared, isolate: false, ...patience } },
      {
        test: { name: 'postgres', include: onBothEngines, env: { PAYDESK_TEST_STORE: 'postgres' }, ...patience },
      },
      {
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...shared],
          ...patience,
        },
      },
    ],
  },
})
