/** Papers of a plan, and the wait for it: what they say of money. */
import { command, lib, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const [results, wait, report] = [command('batch/results'), command('batch/wait'), lib('batch/papers/pain002')]

export const papers: readonly Mutant[] = [
  {
    name: 'a row that is given back gets a new id',
    rule: 'A row of a paper is the payment that it was.',
    changes: [{ in: 'givenIdOf', find: '$paper?.uniqueId ?? null', put: 'null' }],
    killers: [safety('batch-given-back')],
  },
  {
    name: 'a row that was sent is planned anew from its paper',
    rule: 'A row of a paper is the payment that it was.',
    changes: [{ in: 'GivenBack.#look', find: '!payable.has($state)', put: 'false' }],
    killers: [safety('batch-given-back')],
  },
  {
    name: 'a row whose key was changed in its paper is paid under both keys',
    rule: 'A row of a paper is the payment that it was.',
    changes: [{ in: 'Belongings.objections', find: 'isChanged(row) ? $open : null', put: 'null' }],
    killers: [safety('batch-given-back')],
  },
  {
    name: 'a row that its plan still has planned is planned under another key',
    rule: 'A row of a paper is the payment that it was.',
    changes: [{ in: 'stillOpen', find: "each.state !== 'refused' || isConflict(each)", put: 'isConflict(each)' }],
    killers: [safety('batch-given-back')],
  },
  {
    name: 'a row of the plan of another client is planned',
    rule: 'A row of a paper is the payment that it was.',
    changes: [{ in: 'Belongings.objections', find: 'this.#ofAnother(row, facts)', put: 'null' }],
    killers: [safety('batch-given-back')],
  },
  {
    name: 'one row with another sum ends the wait for all others',
    rule: 'A row for a person holds up no other one.',
    changes: [{ in: 'Asking.#goesOnAfter', find: "if (error.kind === 'duplicate') return false", put: 'undefined' }],
    killers: [wait],
  },
  {
    name: 'an id that was given back may be changed in its plan',
    rule: 'A plan is what was agreed to, to the last row and its id.',
    changes: [{ in: 'RowsHash.add', find: '$id === null', put: 'true' }],
    killers: [safety('batch-given-back')],
  },
  {
    name: 'a name of a plan may have blanks that nobody sees',
    rule: 'What reads the same is the same payment.',
    changes: [{ in: 'mustReadAsItIs', find: 'isBusinessKey($name)', put: 'true' }],
    killers: [safety('batch-given-back')],
  },
  {
    name: 'a command of a plan that ends early denies what was sent',
    rule: 'Whatever ends a command early, it denies nothing that earlier runs have sent.',
    changes: [{ in: 'Count.moneyMoved', find: "this.of('unknown') + this.of('sending') > 0", put: 'false' }],
    killers: [safety('batch-denies')],
  },
  {
    name: 'an argument that was answered at its question is unknown to the last words',
    rule: 'Whatever ends a command early, it denies nothing that earlier runs have sent.',
    changes: [
      { in: 'withAnswers', find: 'for (const $arg of args) $ask', put: '{ const heard = () => undefined; $all }' },
    ],
    killers: [safety('answered-at-its-question')],
  },
  {
    name: 'a failure whose document cannot be shown as asked is another failure',
    rule: 'A wrong form of the result changes nothing of what is told about money.',
    changes: [{ in: 'showResult', find: '!isOwed || $other', put: 'true' }],
    killers: [safety('misreport')],
  },
  {
    name: 'a row whose key another payment has is told as unsent',
    rule: 'A row that may have been paid under its key is never offered to be paid again.',
    changes: [{ in: 'taken', find: "$isOpen ? 'unknown' : 'refused'", put: "'unsent'" }],
    killers: [safety('batch-conflicts')],
  },
  {
    name: 'a row whose id the service has from somebody else is sent again by every run',
    rule: 'A definite conflict is told as one, and stands in the way of no other row.',
    changes: [
      { in: 'stateOf', find: "if (intent.isTaken) return 'refused'", put: "if (intent.isTaken) return 'unknown'" },
    ],
    killers: [safety('batch-taken')],
  },
  {
    name: 'a row that the run saw refused is planned again',
    rule: 'A plan sends a row anew only if it was refused before it was planned, whatever the clock says.',
    changes: [{ in: 'plannedRow', find: '$intent.changedAt === planned.known_changed_at', put: 'true' }],
    killers: [safety('batch-clock-back')],
  },
  {
    name: 'a row that was refused before it was planned is never sent',
    rule: 'A plan sends a row anew only if it was refused before it was planned, whatever the clock says.',
    changes: [{ in: 'knownOf', find: 'known.toReversed()', put: 'known.slice(known.length)' }],
    killers: [safety('batch-clock-back')],
  },
  {
    name: 'a row whose id somebody else has is refused like any other',
    rule: 'A row that may have been paid under its key is never offered to be paid again.',
    changes: [{ in: 'isConflict', find: "state === 'refused' && intent?.isTaken === true", put: 'false' }],
    killers: [safety('batch-taken')],
  },
  {
    name: 'rows that only a person resolves are sent again by every run',
    rule: 'What no run can resolve stands in the way of no other row.',
    changes: [{ in: 'rowsIn', find: '!isForPerson($row)', put: 'true' }],
    killers: [safety('batch-taken')],
  },
  {
    name: 'a row that went to another address is told as planned',
    rule: 'A row that may have been paid under its key is never offered to be paid again.',
    changes: [{ in: 'plannedRow', find: '$elsewhere !== null', put: 'false' }],
    killers: [safety('batch-conflicts')],
  },
  {
    name: 'a plan that is whole is made anew under a run of it',
    rule: 'A plan is what was agreed to, to the last row.',
    changes: [{ in: 'fill', find: 'if ($row?.complete) return true', put: ';' }],
    killers: [lib('batch/plan/make')],
  },
  {
    name: 'a clock that is set back holds a run for as long',
    rule: 'A clock that was set back lengthens no deadline.',
    changes: [
      { in: 'Pace.#time', find: 'this.#clock.steady()?.milliseconds ?? this.#clock.now()', put: 'this.#clock.now()' },
    ],
    killers: [lib('batch/run/pace')],
  },
  {
    name: 'a plan is run as another client',
    rule: 'Ids belong to the client that a plan was made for: another one pays once more.',
    changes: [{ in: 'speaksFor', find: 'isSameService($$places)', put: 'true' }],
    killers: [safety('batch-conflicts')],
  },
  {
    name: 'a row that only exists is told as accepted',
    rule: 'ok.csv holds what was accepted, and what exists with its sum confirmed.',
    changes: [{ in: 'standingOf', find: 'intent?.sumConfirmed === true', put: 'intent !== null' }],
    killers: [wait],
  },
  {
    name: 'an unknown row is told as refused',
    rule: 'A row that may have been paid is never told as refused.',
    changes: [{ in: 'standingOfState', find: "unknown: 'unknown'", put: "unknown: 'refused'" }],
    killers: [wait, report],
  },
  {
    name: 'a row of unknown outcome is rejected in a pain.002',
    rule: 'A row that may have been paid is never told as refused.',
    changes: [{ in: 'paymentOutcome', find: "status: 'PDNG'", put: "status: 'RJCT'" }],
    killers: [report],
  },
  {
    name: 'papers that do not add up are written',
    rule: 'The four papers add up to the plan to the cent, or they are not there.',
    changes: [{ in: 'paperLines', find: 'found === asked && $same', put: 'true' }],
    killers: [results],
  },
  {
    name: 'a paper is written over one that is there',
    rule: 'Nothing is written over a file unless that was asked for.',
    changes: [
      { in: 'PaperFiles.open', find: '!overwrite && existsSync(path)', put: 'false' },
      {
        in: 'PaperFiles.publish',
        find: '$overwrite ? rename(file.draft, file.path) : named(file)',
        put: 'rename(file.draft, file.path)',
      },
    ],
    killers: [results],
  },
  {
    name: 'a row that the service refuses to show is told as merely not final',
    rule: 'A payout that cannot be read is unknown.',
    changes: [{ in: 'kindOfWait', find: 'unknown + unreadable.rows > 0', put: 'unknown > 0' }],
    killers: [wait],
  },
  {
    name: 'a plan that others have paid is told with the head from before',
    rule: 'The head of a document covers all that the document tells.',
    changes: [{ in: 'countOf', find: 'await desk.journal.headNow()', put: ';' }],
    killers: [command('batch/status-fleet')],
  },
  {
    name: 'a status of what others pay has the head from before',
    rule: 'The head of a document covers all that the document tells.',
    changes: [{ in: 'lookAt', find: 'await desk.journal.headNow()', put: ';' }],
    killers: [command('batch/status')],
  },
]
