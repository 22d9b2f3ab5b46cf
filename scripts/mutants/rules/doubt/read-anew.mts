/** An end that comes by time, and the read that comes before it is told. */
import { safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const rule = 'An end that comes by time is read anew before it is told.'

export const readingAnew: readonly Mutant[] = [
  {
    name: 'an end that comes by time is told from the journal alone',
    rule,
    changes: [
      {
        in: 'notEndedUnpaid',
        find: 'taken.replayed && (await mayHaveLapsed(desk, taken.intent))',
        put: '(false as boolean)',
      },
    ],
    killers: [safety('read-anew')],
  },
  {
    name: 'an order that may have been paid since its last read is told as ended while it cannot be read',
    rule,
    changes: [{ in: 'asRead', find: 'unpaidEnd(intent) !== null', put: 'true' }],
    killers: [safety('read-anew')],
  },
  {
    name: 'a payment that could not be noted is told as the end that the journal has',
    rule: 'Nothing is told by what the journal had before a read that it could not note.',
    changes: [
      { in: 'readAnew', find: 'now === null', put: 'false as boolean' },
      { in: 'readAnew', find: 'compared ?? now', put: 'compared ?? intent' },
    ],
    killers: [safety('read-unnoted')],
  },
  {
    name: 'a payout is reconciled by what the journal had before a read that it could not note',
    rule: 'Nothing is told by what the journal had before a read that it could not note.',
    changes: [{ in: 'compareWith', find: 'read.isUnnoted', put: 'false as boolean' }],
    killers: [safety('read-unnoted')],
  },
  {
    name: 'an order that goes on stays expired for the journal',
    rule: 'An end that comes by time is taken back by a living status.',
    changes: [{ in: 'isNews', find: 'read(standing.status)?.isByTime === true', put: 'false' }],
    killers: [safety('read-anew')],
  },
  {
    name: 'an order that was cancelled is payable again after an old read',
    rule: 'An end that comes by no time is not taken back by what came before it.',
    changes: [{ in: 'isNews', find: 'read(standing.status)?.isByTime === true', put: 'true' }],
    killers: [safety('read-anew')],
  },
  {
    name: 'a status that is not known counts as no answer to the read anew',
    rule: 'A status that is not known is shown as it came.',
    changes: [{ in: 'look', find: 'return { ...nothingSeen, ...seen }', put: 'return nothingSeen' }],
    killers: [safety('read-anew')],
  },
  {
    name: 'another sum is told as the payment of an order that a copy showed as expired',
    rule: 'A read that shows another sum is a conflict, whichever command reads.',
    changes: [{ in: 'readAnew', find: 'await compareSum($$of)', put: 'now' }],
    killers: [safety('read-anew')],
  },
  {
    name: 'an order is told as ended by a command that was stopped while it read',
    rule: 'A command that is stopped does not say that no money moved.',
    changes: [{ in: 'readAnew', find: 'desk.signal.aborted', put: 'false as boolean' }],
    killers: [safety('read-anew')],
  },
  {
    name: 'a wallet order is created anew that another machine has finalized in time',
    rule,
    changes: [{ in: 'mayHaveLapsed', find: 'isLapsedCreation(intent)', put: 'false' }],
    killers: [safety('wallet-read-anew')],
  },
  {
    name: 'a finalization is refused by a status that comes by time, and that was not read anew',
    rule,
    changes: [{ in: 'FinalizingAccess.upToDate', find: 'hasLapsed(order)', put: 'false as boolean' }],
    killers: [safety('wallet-read-anew')],
  },
  {
    name: 'a wallet order is over by the clock of this machine alone',
    rule,
    changes: [
      { in: 'hasLapsed', find: 'registered && !deleted && !wasPaid(created) && isOver(known, time())', put: 'false' },
    ],
    killers: [safety('wallet-read-anew')],
  },
  {
    name: 'a wallet order that the service shows as alive is to be created anew',
    rule: 'Nothing is created anew of which the service shows no end.',
    changes: [{ in: 'objections', find: 'overButAlive(known)', put: 'anew(known)' }],
    killers: [safety('wallet-read-anew')],
  },
  {
    name: 'a wallet order that is read as alive behind its five minutes moved nothing for certain',
    rule: 'What may have been paid elsewhere is not told as "no money moved".',
    changes: [{ in: 'requireFinalizable', find: 'known.registered && isOver(known, time())', put: 'false as boolean' }],
    killers: [safety('wallet-read-anew')],
  },
  {
    name: 'a receipt of a creation is told that the service has ended meanwhile',
    rule,
    changes: [
      {
        in: 'createWallet',
        find: 'if (hasEndedUnpaid(known.created)) throw await overAlready(desk, known.created)',
        put: '',
      },
    ],
    killers: [safety('wallet-read-anew')],
  },
  {
    name: 'a finalization is refused though its order cannot be read anew',
    rule,
    changes: [{ in: 'readFinalizing', find: 'if (unread) throw unread', put: '' }],
    killers: [safety('wallet-read-anew')],
  },
]
