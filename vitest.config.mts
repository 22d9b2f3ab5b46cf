import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/kit/built.ts',
    disableConsoleIntercept: true,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores, and many tests start processes of their own.
    maxWorkers: 2,
    reporters: ['default', './test/kit/count.ts'],
  },
})
