/** An answer that tells one thing in two ways, and what stands beneath a status that turns away. */
import { command, lib, safety } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

export const told: readonly Mutant[] = [
  {
    name: 'a run that is ended while it closes forgets what it has sent',
    rule: 'A command that has sent something never says that nothing was sent.',
    changes: [
      {
        in: 'BatchAccess.running',
        find: 'return work()',
        put: 'return work().finally(() => { this.#running = null })',
      },
      {
        in: 'BatchAccess.working',
        find: 'return work()',
        put: 'return work().finally(() => { this.#isWorker = false })',
      },
    ],
    killers: [lib('cli/batch/standing')],
  },
  {
    name: 'an id that is typed at a question is forgotten',
    rule: 'A command that ends early denies nothing of what it was about, wherever that was named.',
    changes: [{ in: 'WriteAccess.isAbout', find: 'this.#answered = id', put: 'void id' }],
    killers: [safety('asked-id')],
  },
  {
    name: 'a journal id in capitals names nothing',
    rule: 'A command that ends early knows every name that the command itself takes.',
    changes: [
      {
        in: 'writesTo',
        find: 'isJournalId(text) ? text.toLowerCase() : normalId(text)',
        put: 'normalId(text)',
      },
    ],
    killers: [safety('typed-profile')],
  },
  {
    name: 'a refusing StatusCode in other capitals is overlooked',
    rule: 'A code of refusal contradicts a success, however its name is written.',
    changes: [
      { in: 'objectionTo', find: "valuesOf(places, 'statusCode').length > 0", put: 'places.objects.length > 99' },
    ],
    killers: [safety('one-answer')],
  },
  {
    name: 'the members in the clear beside an envelope are not looked at',
    rule: 'An answer says one thing, in its envelope and beside it.',
    changes: [{ in: 'placesOf', find: 'within(inTheClear(body))', put: '[]' }],
    killers: [safety('one-answer')],
  },
  {
    name: 'the sum beside the value of an answer is not compared',
    rule: 'An answer that names another sum is no definite answer, wherever it names it.',
    changes: [{ in: 'readSuccess', find: 'withAllTold($answer, places)', put: '$answer' }],
    killers: [safety('one-answer')],
  },
  {
    name: 'a status that stands where none is read is overlooked',
    rule: 'An order whose answer tells a failure in other capitals is no definite answer.',
    changes: [{ in: 'readSuccess', find: 'hidesStatus($$of)', put: 'false' }],
    killers: [safety('one-answer')],
  },
  {
    name: 'a refusal deep in a success is overlooked',
    rule: 'A success that holds a refusing code, an error or a refusing status, however deep, is no definite answer.',
    changes: [
      { in: 'readSuccess', find: '(isRead ? null : refusalBelow($$of))', put: 'null' },
      { in: 'verdictOfSuccess', find: 'isDone ? refusalWithin($$of) : null', put: 'null' },
    ],
    killers: [safety('one-answer')],
  },
  {
    name: 'a transaction whose number is written otherwise is overlooked',
    rule: 'A refusal that tells of a transaction proves nothing, however its number is written.',
    changes: [{ in: 'isTransaction', find: '!isEmpty(member) && !$zero', put: '/^[1-9]\\d*$/.test(String(member))' }],
    killers: [safety('one-answer')],
  },
  {
    name: 'a read that speaks of an error, too, is believed',
    rule: 'A read that contradicts itself proves nothing.',
    changes: [{ in: 'objectionTo', find: "operation.effect === 'read' && isRecord(read)", put: 'false' }],
    killers: [safety('reads-in-two')],
  },
  {
    name: 'a taken id beneath 401, 429, 307 or 308 is turned away',
    rule: 'A taken id is a duplicate, whatever the HTTP status.',
    changes: [
      {
        in: 'contradictedBy',
        find: 'codes.length === 1 && code === operation.duplicateCode',
        put: 'codes.length > 99',
      },
    ],
    killers: [safety('turned-away-and-taken')],
  },
  {
    name: 'a code that proves nothing is turned away by its HTTP status',
    rule: 'A code that may come after the execution contradicts a status that turns away.',
    changes: [{ in: 'contradictedBy', find: 'objectionToCode($$of)', put: 'null as string | null' }],
    killers: [safety('turned-away-and-taken')],
  },
  {
    name: 'a body with members of an acceptance passes for an error',
    rule: 'A status that turns away is believed over a plain error alone.',
    changes: [{ in: 'isForeign', find: 'if (!ofPlainErrors.has(kind)) return true', put: ';' }],
    killers: [safety('turned-away-and-taken')],
  },
  {
    name: 'a number that is a key is read as the number of a transaction',
    rule: 'A name that may be a key and somebody else’s transaction is refused until it is said which.',
    changes: [
      { in: 'transactionNamed', find: 'if (!payment) return $found', put: 'return found(desk, number, intent)' },
    ],
    killers: [safety('named')],
  },
  {
    name: 'an id in the request file hides what is known of the payment where a command ends early',
    rule: 'A name names a payment wherever it stands: behind a flag, as an argument, in the file.',
    changes: [{ in: 'sameWrite', find: '$file.fieldAtEnd($id)', put: 'undefined' }],
    killers: [safety('id-in-file')],
  },
  {
    name: 'of a flag that was typed twice the first value counts',
    rule: 'Whatever ends a command early, it denies nothing that earlier runs have sent.',
    changes: [{ in: 'sameWrite', find: 'line.values(flag)', put: 'line.values(flag).slice(0, 1)' }],
    killers: [safety('typed-twice')],
  },
  {
    name: 'key: before a name hides what is known of the payment where a command ends early',
    rule: 'No failure before the look at the journal denies the payment that is named.',
    changes: [
      { in: 'writesTo', find: 'nameIn(typed.trim())', put: '{ text: typed.trim(), mayBe: "either" as string }' },
    ],
    killers: [safety('named')],
  },
  {
    name: 'a refused question about a payout of another machine denies it',
    rule: 'Of a thing that this journal does not know a refused question says nothing.',
    changes: [
      { in: 'unread', find: "error.kind === 'not-found' ? error.moneyMoved : 'unknown'", put: 'error.moneyMoved' },
    ],
    killers: [safety('paid-then-not')],
  },
  {
    name: 'a journal that cannot be written ends no run',
    rule: 'A failure that every row would meet ends the run, and is named.',
    changes: [{ in: 'Stopping.ended', find: 'isOfThisMachine($failure)', put: 'false' }],
    killers: [lib('batch/run/stop')],
  },
  {
    name: 'a sign-in that fails ends no run',
    rule: 'A failure that every row would meet ends the run, and is named.',
    changes: [{ in: 'saidOfLine', find: "$state === 'unsent' || $state === 'planned'", put: "$state === 'unsent'" }],
    killers: [lib('batch/run/stop'), safety('batch-unsent')],
  },
  {
    name: 'a run that sent something is told as unsent',
    rule: '11 says that nothing left this machine.',
    changes: [{ in: 'kindOfEnd', find: 'last && !hasSent', put: 'last' }],
    killers: [safety('batch-unsent')],
  },
  {
    name: 'a plan that another run is about to pay has moved no money',
    rule: 'Nobody denies what another process may be sending.',
    changes: [{ in: 'moneyOfPlan', find: '$isRun && !count.isDone', put: 'false' }],
    killers: [safety('batch-ending')],
  },
  {
    name: 'a list that was cut does not say so',
    rule: 'An older payment that is unknown is not missed.',
    changes: [{ in: 'listed', find: 'rows.length > shown.length', put: 'false' }],
    killers: [command('payout/list')],
  },
  {
    name: 'an order does not tell of a refund whose outcome is unknown',
    rule: 'Every write about a thing counts for its money.',
    changes: [{ in: 'withWrites', find: 'others.get(nameOf(each)) ?? []', put: '[]' }],
    killers: [command('order/list')],
  },
]
