/** A run that is stopped: what has nothing on its way neither leaves nor holds the end up. */
import { lib, safety } from '../../killers.mts'
import type { Change, Mutant } from '../../mutant.mts'

const turnedAwayWaits: readonly Change[] = [
  {
    in: 'Run.#isCalledOff',
    find: 'this.#desk.ending?.aborted || this.#until.timeToSend(false) <= 0',
    put: 'false',
  },
  { in: 'Run.#pause', find: 'ending && unmoved.has(this.#intent.state)', put: 'false' },
]

export const stopped: readonly Mutant[] = [
  {
    name: 'what was opened ahead leaves after the run was stopped',
    rule: 'A run that is stopped sends no further row.',
    changes: [{ in: 'limitsOf', find: '!isUnderWay && calledOff() ? 0 : $left', put: '$left' }],
    killers: [safety('batch-lines')],
  },
  {
    name: 'after ^C a row that was turned away is sent again',
    rule: 'What has nothing on its way is not sent once a run has ended.',
    changes: [...turnedAwayWaits, { in: 'limitsOf', find: '!isUnderWay && calledOff() ? 0 : $left', put: '$left' }],
    killers: [safety('batch-ending')],
  },
  {
    name: 'after ^C a row that was turned away waits for its next turn',
    rule: 'What has nothing on its way does not hold the end of a run up.',
    changes: turnedAwayWaits,
    killers: [safety('batch-ending')],
  },
  {
    name: 'what was turned away is opened once more although it was called off',
    rule: 'A run that slept through its lease begins nothing more.',
    changes: [{ in: 'Run.#isCalledOff', find: '$ending || this.#until.timeToSend(false) <= 0', put: '$ending' }],
    killers: [lib('desk/called-off')],
  },
  {
    name: 'what was turned away leaves although it was called off',
    rule: 'A run that slept through its lease sends nothing more.',
    changes: [{ in: 'limitsOf', find: '!isUnderWay && calledOff() ? 0 : $left', put: '$left' }],
    killers: [lib('desk/called-off')],
  },
  {
    name: 'after ^C a row that waited for its sign-in is sent',
    rule: 'What has nothing on its way is not sent once a run has ended.',
    changes: [{ in: 'beforeEnding', find: '!ending', put: 'true' }],
    killers: [safety('batch-ending')],
  },
  {
    name: 'a token that is asked for again holds a stopped run up',
    rule: 'What has nothing on its way does not hold the end of a run up.',
    changes: [{ in: 'signedInAgain', find: 'unmoved.has(intent.state)', put: 'false' }],
    killers: [safety('batch-ending')],
  },
]
