/** The end of a run: its count is of the journal as it stands, and its exit code denies no money that it has moved. */
import { safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const takenOver = safety('batch-taken-over')
const denies = safety('batch-exit-denies')

export const runEnds: readonly Mutant[] = [
  {
    name: 'a run that was stopped tells rows as planned that another one has paid',
    rule: 'What is left when a run ends is counted anew, under the head that is told with it.',
    changes: [
      {
        in: 'atEnd',
        find: 'parts.stopping.reason === null && count.isDone && $unknown === 0',
        put: "count.of('sending') === 0",
      },
    ],
    killers: [takenOver],
  },
  {
    name: 'a run that lost its plan to another one is told as one whose rows failed',
    rule: '12 says that another run has the plan.',
    changes: [
      {
        in: 'kindOfEnd',
        find: "$failure.kind !== 'unsent'",
        put: "$failure.kind !== 'unsent' && $failure.kind !== 'locked'",
      },
    ],
    killers: [takenOver],
  },
  {
    name: 'a run whose plan another one has knows what money moves',
    rule: 'Nobody denies what another process may be sending.',
    changes: [{ in: 'movedIn', find: "$stop?.kind === 'taken-over'", put: 'false' }],
    killers: [takenOver],
  },
  {
    name: 'a run that has paid rows ends with a code that says that no money moved',
    rule: 'No exit code denies money that the run has moved.',
    changes: [{ in: 'kindOfEnd', find: '$hasPaid && deniesMoney(kind, count)', put: 'false' }],
    killers: [denies],
  },
]
