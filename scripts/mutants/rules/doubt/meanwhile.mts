/** What was shown while a write was on its way, or was waited for, and what another one explains. */
import { lib, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const shownOnce = safety('shown-once')

export const meanwhile: readonly Mutant[] = [
  {
    name: '`order wait` ends by what the journal knew when it began',
    rule: 'An end is told by what the journal knows at that moment.',
    changes: [{ in: 'watchedOrder', find: 'found = last.now', put: 'found = begun' }],
    killers: [shownOnce],
  },
  {
    name: 'a refund is refused beside a read that does not know the order of this journal',
    rule: 'A refusal beside a read that contradicts the journal proves nothing.',
    changes: [{ in: 'refusedUnseen', find: '!made && !saysDone', put: 'true' }],
    killers: [shownOnce],
  },
  {
    name: 'a charge with a validUntil that was paid may be paid again',
    rule: 'After a payment a failed try is no try any more.',
    changes: [
      {
        in: 'isNews',
        find: 'return paidBefore($seen) !== null',
        put: 'if (paidBefore({ ...standing, status }) === null) return false',
      },
    ],
    killers: [shownOnce],
  },
  {
    name: 'a read makes a charge of another card good',
    rule: 'No read shows which card was charged.',
    changes: [{ in: 'verdictIn', find: 'read.otherSum ?? null', put: 'null' }],
    killers: [shownOnce],
  },
  {
    name: 'a slow read denies what another process has read meanwhile',
    rule: 'An intent is closed on what the transaction reads.',
    changes: [{ in: 'mustStandAs', find: 'deniedBy !== undefined && isRead', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'of several that are resolved a refusal outweighs a conflict',
    rule: 'The worst of several is told.',
    changes: [
      {
        in: 'severity',
        find: "['unknown', 'duplicate', 'locked', 'pending', 'refused']",
        put: "['unknown', 'refused', 'duplicate']",
      },
    ],
    killers: [shownOnce],
  },
  {
    name: '`order wait` takes an order that met a conflict for ended',
    rule: 'A conflict is a conflict for every command.',
    changes: [{ in: 'orderInDoubt', find: 'created?.isTaken', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: '`order wait` takes an order that was answered with another sum for ended',
    rule: 'No read takes an answer with another sum back.',
    changes: [{ in: 'orderInDoubt', find: 'created.answeredSum', put: 'null' }],
    killers: [shownOnce],
  },
  {
    name: 'a charge that was read as paid is cancelled already',
    rule: 'What was paid is not undone by a read.',
    changes: [{ in: 'paidInSpite', find: 'wasReadAsPaid(write)', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a refusal beside a success in small letters refuses',
    rule: 'A code that stands beside a success is no definite answer.',
    changes: [{ in: 'isStatusOfSuccess', find: 'told.trim().toUpperCase()', put: 'told' }],
    killers: [lib('desk/answer/refused-and-done')],
  },
  {
    name: 'a finalization is refused beside a success',
    rule: 'A refusal that stands beside a success is no definite answer.',
    changes: [{ in: 'verdictOfSuccess', find: 'success !== null', put: 'false' }],
    killers: [lib('desk/answer/refused-and-done')],
  },
  {
    name: 'a clock that was set back lengthens the time to finalize',
    rule: 'A clock that is set lengthens no deadline.',
    changes: [{ in: 'sentAt', find: 'setBack > noticeable', put: 'false' }],
    killers: [safety('finalize-in-time')],
  },
  {
    name: 'a clock that was set back lengthens the time to finalize once more',
    rule: 'A clock that is set lengthens no deadline.',
    changes: [
      {
        in: 'openFor',
        find: 'Math.max(moment.now - Date.parse(intent.openedAt), ...$$passed)',
        put: 'moment.now - Date.parse(intent.openedAt)',
      },
    ],
    killers: [safety('finalize-in-time')],
  },
  {
    name: 'a refund whose trace was read while it waited is sent again',
    rule: 'A conflict is sent again only where the service recognises it.',
    changes: [
      { in: 'Run.#pauseAfter', find: 'isUnrecognised($$it)', put: 'false' },
      { in: 'Run.#attempts', find: 'isUnrecognised($$it)', put: 'false' },
    ],
    killers: [safety('refund-besides')],
  },
  {
    name: 'the trace of a refund that was taken makes another one a conflict',
    rule: 'What another write of this journal explains is none of its own.',
    changes: [{ in: 'isExplained', find: 'known === status', put: 'false' }],
    killers: [safety('refund-besides')],
  },
  {
    name: 'a read from before a refund that was taken denies another one',
    rule: 'A read that contradicts the journal proves nothing.',
    changes: [{ in: 'seenBefore', find: 'hasNoTrace && alike', put: 'null as Intent | null' }],
    killers: [safety('refund-besides')],
  },
  {
    name: 'an answer about another payout tells of that one',
    rule: 'An answer that speaks of another id is no evidence.',
    changes: [{ in: 'readThing', find: 'expected !== null && shown.id !== expected', put: 'false' }],
    killers: [safety('shown-meanwhile')],
  },
  {
    name: 'an answer that comes late leaves the id of another one done',
    rule: 'A taken id after attempts that were only refused or turned away is a conflict.',
    changes: [{ in: 'changeBy', find: 'isOfNobodyHere(before, past, verdict)', put: 'false' }],
    killers: [lib('journal/together/together')],
  },
  {
    name: 'a refund that was sent before is sent again without a look at its order',
    rule: 'A refund that may have arrived is read before it is sent once more.',
    changes: [{ in: 'lookBefore', find: 'past.some(mayHaveArrived)', put: 'false as boolean' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a refund whose trace the look before it shows is sent again',
    rule: 'What a read shows of a refund that was refused is a conflict.',
    changes: [{ in: 'lookBefore', find: '$has ? own.status : null', put: 'null' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a refund beside another one is sent without a look at its order',
    rule: 'A second refund of an order is sent behind a read.',
    changes: [{ in: 'lookBefore', find: 'others.length > 0', put: 'false' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a second refund is sent though its order cannot be read',
    rule: 'A second refund of an order is sent behind a read.',
    changes: [{ in: 'mayLeave', find: '!left && !read.isPassing', put: '!left' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a lost refund does not learn what another one explains',
    rule: 'What shows a trace of an open write outweighs a later read that shows none.',
    changes: [{ in: 'learntBy', find: '!(await isOnItsWay(journal, write))', put: 'false' }],
    killers: [safety('refund-besides')],
  },
  {
    name: 'of an order that was made elsewhere a refund explains nothing',
    rule: 'What another write of this journal explains is none of its own.',
    changes: [{ in: 'isExplained', find: '(creation ?? told)?.status', put: 'creation?.status' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a copy that lags behind takes the refunds of an order back',
    rule: 'A status that is older than what is known of its thing is not remembered.',
    changes: [{ in: 'isNews', find: 'isOlder($$both)', put: 'false' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a lost refund is denied though another write has shown its trace',
    rule: 'A read that contradicts the journal proves nothing.',
    changes: [{ in: 'seenBefore', find: 'hasNoTrace && traced', put: 'null as Intent | null' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'the details of another transaction tell of the payout of that id',
    rule: 'An answer that speaks of another payment is no evidence.',
    changes: [{ in: 'isOfOtherTransaction', find: 'BigInt(own) !== BigInt(shown)', put: 'false' }],
    killers: [safety('shown-meanwhile')],
  },
]
