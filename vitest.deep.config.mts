/** The whole matrices, hours of them: `npm run test:deep [part]`. `npm test` takes a fixed sample of each. */
import { defineConfig } from 'vitest/config'
import { ground } from './vitest.config.mts'

export default defineConfig({ test: { ...ground, include: ['test/**/*.deep.ts'] } })
