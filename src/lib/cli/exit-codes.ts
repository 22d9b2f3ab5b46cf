/** The table of exit codes as rows: what `help exit-codes` prints and the README shows. */
import { failures } from '../failure.ts'

export interface ExitCode {
  readonly code: number
  readonly name: string
  readonly means: string
  readonly moneyMoved: string
}

export function exitCodes(): ExitCode[] {
  const done = { code: 0, name: 'done', means: 'definite success', moneyMoved: 'as the command says' }
  const rest = Object.entries(failures).map(([name, { exit, means, moneyMoved }]) => ({
    code: exit,
    name,
    means,
    moneyMoved,
  }))
  return [done, ...rest]
}
