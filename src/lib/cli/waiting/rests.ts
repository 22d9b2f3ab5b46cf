/** The rests of a wait, as they are told: one line that is redrawn at a terminal, elsewhere a line for each change of the status. */
import type { Rest } from '../../client/exchange.ts'
import type { Invocation } from '../invocation.ts'
import { ticking } from './ticking.ts'

/** For one run of a command. What it gives back is called at the start of each rest, and gives back what ends the telling. */
export function toldRests(invocation: Pick<Invocation, 'edge' | 'output'>): (rest: Rest) => () => void {
  const { edge, output } = invocation
  const since = performance.now()
  let told: string | null = null
  return ({ status, ...subject }) => {
    const text = status ?? 'no answer yet'
    if (edge.stderr.isTTY && output.remarks)
      return ticking(invocation, `${output.redactor.clean(text)}; not final`, since)
    if (text !== told) output.say(`${text}; looking again until it is final`, subject)
    told = text
    return () => undefined
  }
}
