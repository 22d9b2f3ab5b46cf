/** The end of a run: its count is of the journal as it stands, and its exit code denies no money that it has moved. */
import { lib, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const takenOver = safety('batch-taken-over')
const denies = safety('batch-exit-denies')
const putBack = safety('batch-put-back')
const ownEnds = lib('batch/rows/own-ends')

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
  {
    name: 'a store that was put back has rows as turned away that this run has paid',
    rule: 'A store that is behind denies nothing that a run has seen itself.',
    changes: [{ in: 'isDenied', find: 'isUnmoved(state)', put: "state === 'planned'" }],
    killers: [putBack, ownEnds],
  },
  {
    name: 'a store that was put back has rows as refused that this run has paid',
    rule: 'A store that is behind denies nothing that a run has seen itself.',
    changes: [{ in: 'isDenied', find: "state === 'refused' && own !== 'unknown'", put: 'false' }],
    killers: [ownEnds],
  },
  {
    name: 'a row without an answer stays unknown although its refusal is proved since',
    rule: 'The journal is right about all but what it lacks.',
    changes: [{ in: 'isDenied', find: "own !== 'unknown'", put: 'true' }],
    killers: [ownEnds],
  },
  {
    name: 'a row whose answer a store that was put back cannot record is told as turned away',
    rule: 'A store that is behind denies nothing that a run has seen itself.',
    changes: [{ in: 'isMissing', find: "$failure.kind === 'unknown'", put: 'false' }],
    killers: [putBack],
  },
  {
    name: 'a paid row is unknown where it was asked for once more behind a store that was put back',
    rule: 'A store that is behind denies nothing that a run has seen itself.',
    changes: [{ in: 'OwnEnds.add', find: '!this.#states[planned.number]', put: 'true' }],
    killers: [ownEnds],
  },
  {
    name: 'a run that a payout alike has stopped is to be run again as it is',
    rule: 'What meets every run of a plan again has to be mended first.',
    changes: [{ in: 'retryOf', find: "failure?.kind === 'duplicate' || $fix", put: '$fix' }],
    killers: [denies],
  },
  {
    name: 'a run that a payout alike has stopped leaves its unknown rows without a word',
    rule: 'An unknown row is told with the line that resolves it.',
    changes: [
      {
        in: 'onwards',
        find: "if (failure?.kind === 'duplicate') return resolve",
        put: "if (failure?.kind === 'duplicate') return []",
      },
    ],
    killers: [denies],
  },
  {
    name: 'a run that was stopped by rows turned away and rows lost tells only of the first',
    rule: 'Rows without an answer are never told as not sent.',
    changes: [{ in: 'Stopping.#lookAtLine', find: 'lost === 0', put: 'true' }],
    killers: [lib('batch/run/stop'), safety('batch-stopped')],
  },
  {
    name: 'rows of which another sum was told are promised to the next run',
    rule: 'No line is told to resolve what only a person resolves.',
    changes: [{ in: 'nextSteps', find: "rows('unknown') - byHand.rows", put: "rows('unknown')" }],
    killers: [safety('batch-taken'), safety('batch-conflicts')],
  },
  {
    name: 'a run says that it resolves all unknown rows, of which it resolves some',
    rule: 'No line is told to resolve what only a person resolves.',
    changes: [{ in: 'hintsOf', find: "count.resolvable === count.of('unknown')", put: 'true' }],
    killers: [safety('batch-taken')],
  },
]
