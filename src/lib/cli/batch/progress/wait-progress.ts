/** The progress of a wait: a bar at a terminal, a line every ten seconds elsewhere, an event for each row with `--output ndjson`. */

import type { Plan } from '../../../batch/plan.ts'
import type { WaitParts } from '../../../batch/wait.ts'
import { howMany } from '../../../contract/core/text.ts'
import { payoutEnd } from '../../../contract/payout/status.ts'
import { printableJson } from '../../../json.ts'
import { typedForm } from '../../flags/typed.ts'
import type { Invocation } from '../../invocation.ts'
import { drawnLines } from '../../output/bar.ts'
import { betweenLines, progressLine, rowEvent } from './progress.ts'

export interface WaitProgress extends Pick<WaitParts, 'final' | 'round'> {
  /** Gives the terminal back, however the wait ended. */
  readonly close: () => void
}

export async function progressOfWait(invocation: Invocation, plan: Plan): Promise<WaitProgress> {
  const { line, edge, output } = invocation
  const isEvents = typedForm(line) === 'ndjson'
  if (!isEvents && !output.machine && edge.stderr.isTTY) return bar(invocation, plan)
  return { ...lines(invocation, plan), ...(isEvents ? { final: events(invocation) } : {}) }
}

function events({ edge }: Invocation): WaitProgress['final'] {
  return (row, status) => void edge.stdout.write(`${printableJson(rowEvent(row, { status }))}\n`)
}

function lines({ edge, output }: Invocation, plan: Plan): WaitProgress {
  let due = edge.clock.now()
  return {
    final: () => undefined,
    round: (open, pause) => {
      if (edge.clock.now() < due) return
      due = edge.clock.now() + betweenLines
      output.say(
        `${open} of ${howMany(plan.rows, 'row')} ${open === 1 ? 'is' : 'are'} not final; looking again in ${pause / 1000} s`,
      )
    },
    close: () => undefined,
  }
}

function bar(invocation: Invocation, { rows }: Plan): WaitProgress {
  let [paid, others] = [0, 0]
  // Rows that were final before are known only when a round has passed over all of them.
  let known = 0
  const line = drawnLines(invocation).begin((columns) => {
    const parts = [...(paid > 0 ? [`paid ${paid}`] : []), ...(others > 0 ? [`not paid ${others}`] : [])]
    return progressLine(
      Math.min(rows, known),
      rows,
      [
        [1, 'final'],
        [2, parts.join(', ')],
      ],
      columns,
    )
  })
  return {
    final: (_row, status) => {
      if (payoutEnd(status) === 'paid') paid += 1
      else others += 1
      known += 1
      line.draw()
    },
    round: (open) => {
      known = rows - open
      line.draw()
    },
    close: () => line.end(),
  }
}
