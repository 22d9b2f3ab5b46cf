import { configDefaults, defineConfig } from 'vitest/config'
import { ofOtherDays } from './test/kit/run/of-the-day.mts'

/** Tests that run in this process share what they import: loading it takes longer than most of them do. */
const shared = ['test/lib/**/*.test.ts', 'test/commands/**/*.test.ts', 'test/safety/*.test.ts', 'test/*.test.ts']

/** Tests of what stands on a store run on both engines; every day a part of them. */
const onBothEngines = [
  'test/lib/journal/hold/*.test.ts',
  'test/lib/journal/limits/*.test.ts',
  'test/lib/journal/together/*.test.ts',
  'test/lib/journal/approvals/approvals.test.ts',
  'test/lib/journal/purge.test.ts',
  'test/lib/store/journal/seal.test.ts',
  'test/lib/listing/things.test.ts',
  ...(process.env.PAYDESK_WHOLE ? ['test/lib/journal/journal.test.ts'] : []),
]

/** Nothing waits for so long but on a machine that has others to serve. */
const patience = {
  testTimeout: 90_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 15_000 } },
  setupFiles: 'test/kit/run/setup.ts',
}

const exclude = [...configDefaults.exclude, ...ofOtherDays()]

export default defineConfig({
  test: {
    globalSetup: 'test/kit/program/built.ts',
    disableConsoleIntercept: true,
    // Two cores; many tests start processes of their own and wait for them.
    maxWorkers: 4,
    reporters: ['default', './test/kit/run/count.ts'],
    projects: [
      { test: { name: 'shared', include: shared, exclude, isolate: false, ...patience } },
      {
        test: {
          name: 'postgres',
          include: onBothEngines,
          exclude,
          env: { PAYDESK_TEST_STORE: 'postgres' },
          ...patience,
        },
      },
      { test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: [...exclude, ...shared], ...patience } },
    ],
  },
})
