/** The Python that runs clients in another language. */
import { env } from 'node:process'
import { isMissingProgram } from './missing.ts'

export const python = env.PYTHON ?? 'python3'

/** True if a test has to be skipped. `needs` is a line that Python must be able to run, such as `import cryptography`. */
export const isMissing = (needs: string, whatIsNotChecked: string) =>
  isMissingProgram(python, ['-c', needs], whatIsNotChecked)
