/** The table of exit codes as rows: what `help exit-codes` prints and the README shows. */
import { failures } from '../failure.ts'
import type { ResultOf } from '../result.ts'
import type { exitCodesResult } from './result.ts'
import type { View } from './views/view.ts'

export type ExitCode = ResultOf<typeof exitCodesResult>[number]

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

export function exitCodesView(codes: readonly ExitCode[]): View {
  const rows = codes.map(({ code, name, means, moneyMoved }) => [code, name, means, moneyMoved])
  return [{ kind: 'table', head: ['code', 'name', 'meaning', 'money moved'], rows, empty: '' }]
}
