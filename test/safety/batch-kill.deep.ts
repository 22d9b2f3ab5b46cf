/** A file of the size that a company has, killed again and again. */
import { test } from 'vitest'
import { mustPayOnce } from './batch-kill.ts'

test(
  'batch run: killed (SIGKILL) 20 times in 10000 rows and resumed: each row is paid once, and the papers add up',
  { timeout: 1_800_000 },
  () => mustPayOnce({ rows: 10_000, kills: 20 }),
)
