/** Rows that are opened ahead of a free lane: so many leave, at their time, and their waiting costs them nothing. */
import { command, lib, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const waits = safety('batch-waits')
const stopped = safety('batch-stopped')
const unit = lib('batch/run/departures')
const askedPause = safety('batch-asked-pause')

export const departures: readonly Mutant[] = [
  {
    name: 'rows are opened ahead before the first has ended',
    rule: 'A run that stops with its first answers sends only what fills the lanes.',
    changes: [
      {
        in: 'runRows',
        find: 'sideBySide($many).finally(heard)',
        put: '(heard(), sideBySide($many))',
      },
    ],
    killers: [command('batch/run')],
  },
  {
    name: 'more rows are at the service than --concurrency says',
    rule: 'Rows are opened ahead, and not sent.',
    changes: [{ in: 'Lanes.take', find: 'this.#free > 0', put: 'true' }],
    killers: [safety('batch-lines'), unit],
  },
  {
    name: 'more rows are opened ahead than one round fills',
    rule: 'What waits was held in the journal, and is called off with the run.',
    changes: [{ in: 'Departures.place', find: 'this.#ahead < this.#most', put: 'true' }],
    killers: [safety('batch-lines'), unit],
  },
  {
    name: 'the time of a row goes on while it waits for a lane',
    rule: 'The time of a row begins when it may leave.',
    changes: [{ in: 'limitsOf', find: 'left() + waited()', put: 'left()' }],
    killers: [waits],
  },
  {
    name: 'the deadline of a request does not move while it waits for a lane',
    rule: 'A request that waited has as long for its answer as any other.',
    changes: [{ in: 'moving', find: 'deadline + waited()', put: 'deadline' }],
    killers: [waits],
  },
  {
    name: 'a payment with little time is held too short to be sent at all',
    rule: 'A hold outlasts what its holder leaves unused of it.',
    changes: [{ in: 'heldFor', find: '$times + holdReserve', put: '$times' }],
    killers: [lib('desk/line/leaving')],
  },
  {
    name: 'a hold that is over a moment later is not held anew',
    rule: 'A row that waits while the service asks for patience is held anew before it leaves.',
    changes: [{ in: 'heldThrough', find: 'longestAnswer(desk, until) + $spare', put: 'longestAnswer(desk, until)' }],
    killers: [lib('desk/line/leaving')],
  },
  {
    name: 'a row that waited long leaves under a hold that ends before its answer',
    rule: 'A row that waits while the service asks for patience is held anew before it leaves.',
    changes: [
      {
        in: 'heldThrough',
        find: '!isOverdue(intent, $moment, needed)',
        put: '!isOverdue(intent, $moment)',
      },
    ],
    killers: [lib('desk/line/leaving')],
  },
  {
    name: 'a row that another run has taken while it waited leaves all the same',
    rule: 'One request is in flight per id.',
    changes: [
      {
        in: 'heldThrough',
        find: 'if (held === null) throw takenOver(intent)',
        put: 'if (held === null) return intent',
      },
    ],
    killers: [lib('desk/line/leaving')],
  },
  {
    name: 'what was turned away counts as under way, and leaves after the run was stopped',
    rule: 'A run that is stopped sends only what may have been executed.',
    changes: [
      {
        in: 'Run.#record',
        find: '!unmoved.has(this.#intent.state) && (this.#isUnderWay || $sent)',
        put: 'this.#isUnderWay || $sent',
      },
    ],
    killers: [stopped],
  },
  {
    name: 'a run that was stopped asks again at once, without regard to its rate',
    rule: 'What may have been executed is asked for at the rate of the run, stopped or not.',
    changes: [{ in: 'Departures.#waited', find: '!isCalledOff()', put: 'false' }],
    killers: [stopped],
  },
  {
    name: 'a row that has waited longer than it has time passes for one that stays here',
    rule: 'What may have been executed keeps to the pause and to the rate, stopped or not, however long it has waited.',
    changes: [{ in: 'Departures.#placeOf', find: 'return waited + waiting()', put: 'return waited' }],
    killers: [askedPause],
  },
  {
    name: 'a row whose hold is over while it waits passes for one that stays here',
    rule: 'A row is held anew when its turn comes, and until then it keeps to the pause of the service.',
    changes: [
      { in: 'exchange', find: 'place.within(sent, staysHere)', put: 'place.within(sent, () => objection() !== null)' },
    ],
    killers: [askedPause],
  },
  {
    name: 'a refusal is doubted because the run was stopped meanwhile',
    rule: 'The balance behind an answer is asked for after a stop, too.',
    changes: [{ in: 'Kept.isLast', find: 'objection: () => null', put: 'objection: limits.objection ?? (() => null)' }],
    killers: [stopped],
  },
  {
    name: 'other rows leave while rows in a row have no answer',
    rule: 'A run whose line loses every answer leaves few rows unknown.',
    changes: [{ in: 'Departures.#isSilent', find: 'this.#silence.isLong', put: 'false' }],
    killers: [stopped],
  },
  {
    name: 'a row whose answer was lost does not hold others back until it has ended',
    rule: 'A run whose line loses every answer leaves few rows unknown.',
    changes: [
      { in: 'tellOfRepeat', find: "place?.sentAgain(verdict.kind === 'unknown')", put: 'place?.sentAgain(false)' },
    ],
    killers: [stopped],
  },
  {
    name: 'a row that does not leave this machine ends rows in a row without an answer',
    rule: 'Only an answer of the service ends rows in a row.',
    changes: [{ in: 'saidOfLine', find: "return 'here'", put: "return 'away'" }],
    killers: [lib('batch/run/stop'), stopped],
  },
  {
    name: 'a row that was turned away before, and is not sent now, passes for an answer',
    rule: 'Only an answer of the service ends rows in a row.',
    changes: [{ in: 'saidOfLine', find: "$failure?.kind === 'unsent'", put: 'false' }],
    killers: [lib('batch/run/stop')],
  },
  {
    name: 'a row that does not leave this machine lets the others leave',
    rule: 'A run whose line loses every answer leaves few rows unknown.',
    changes: [{ in: 'Silence.over', find: "$said === 'answered' || $said === 'away'", put: "$said !== 'silent'" }],
    killers: [lib('batch/run/silence')],
  },
  {
    name: 'requests that have left do not count for the rate',
    rule: 'Behind a stall no more requests leave than --rate says.',
    changes: [{ in: 'Departures.#turn', find: 'this.#pace.left()', put: 'undefined' }],
    killers: [waits],
  },
  {
    name: 'a stall is made up for by a burst',
    rule: 'A bucket, not a burst.',
    changes: [{ in: 'Pace.left', find: 'now - this.#next > this.#between', put: 'false' }],
    killers: [waits, lib('batch/run/pace')],
  },
  {
    name: 'a row that was called off is told as a network that is away',
    rule: 'A row that a stopped run called off says so.',
    changes: [{ in: 'failureOf', find: 'verdict.why === outOfTurn', put: 'false' }],
    killers: [waits],
  },
  {
    name: 'the rows that pause before they are sent once more are not told by a worker that ends',
    rule: 'Whoever ends a machine by the event of its worker knows all that it waits for.',
    changes: [{ in: 'ChunkLines.pausing', find: 'sum + underWay.pausing', put: 'sum' }],
    killers: [command('worker/start')],
  },
  {
    name: 'a pause that the service asks for is told nowhere',
    rule: 'A run that stands still says what for.',
    changes: [{ in: 'Departures.underWay', find: 'closedFor: this.#pace.closedFor', put: 'closedFor: 0' }],
    killers: [command('batch/run-silence')],
  },
]
