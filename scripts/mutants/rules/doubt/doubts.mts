/** Doubts about a payment: conflicts, other sums, two ends. Nothing ends them by accident, and every command tells them. */
import { lib, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

export const doubts: readonly Mutant[] = [
  {
    name: 'the journal forgets a conflict',
    rule: 'A conflict is a conflict for ever.',
    changes: [{ in: 'staysDoubted', find: 'isDoubted(before) && $noOther && !isEnded', put: 'false' }],
    killers: [lib('journal/doubt/known-sum'), safety('conflict-kept')],
  },
  {
    name: 'a lost attempt makes a conflict done, where a read shows the thing',
    rule: 'A conflict is a conflict for ever, whatever is lost or read after it.',
    changes: [{ in: 'closeBy', find: 'intent.isTaken', put: 'false' }],
    killers: [safety('conflict-kept')],
  },
  {
    name: 'a read of its transaction makes the journal forget a conflict',
    rule: 'A read ends no conflict.',
    changes: [
      {
        in: 'sumSeen',
        find: "before === 'taken' || before === 'answered' || $disputed",
        put: "before === 'answered' || $disputed",
      },
    ],
    killers: [lib('journal/doubt/known-sum')],
  },
  {
    name: 'a read makes an answer with another sum good, and it is sent again',
    rule: 'No read takes an answer with another sum back.',
    changes: [
      {
        in: 'sumSeen',
        find: "before === 'taken' || before === 'answered' || $disputed",
        put: "before === 'taken' || $disputed",
      },
    ],
    killers: [lib('journal/doubt/known-sum')],
  },
  {
    name: 'a payout that was refused stays refused, although a read shows it',
    rule: 'A write that was not executed from here becomes a conflict when a read shows that the service has its id.',
    changes: [{ in: 'sumSeen', find: 'unmoved.has(state as State)', put: 'false' }],
    killers: [lib('journal/doubt/known-sum')],
  },
  {
    name: 'evidence of a read ends a doubt',
    rule: 'Only the operator and a reconciliation end a doubt.',
    changes: [{ in: 'closing', find: 'isDoubted(before) && !isEnded && !byOperator', put: 'false' }],
    killers: [lib('journal/doubt/known-sum'), safety('conflict-kept')],
  },
  {
    name: 'a second signal says of a conflict that nothing was executed',
    rule: 'Every command about a conflict says that it may have been executed.',
    changes: [
      {
        in: 'isNotExecuted',
        find: "state !== 'accepted' && state !== 'exists' && !isTaken",
        put: "state !== 'accepted' && state !== 'exists' && [true, false].includes(isTaken)",
      },
    ],
    killers: [safety('two-signals')],
  },
  {
    name: 'a second signal denies what a run with the same key may have sent',
    rule: 'Of a payment that is named, no signal says that it was not sent before the journal has told.',
    changes: [{ in: 'WatchedJournal.standing', find: '!isAboutEarlier && $unnamed', put: 'true' }],
    killers: [safety('two-signals')],
  },
  {
    name: 'a card that cannot be read denies a conflict',
    rule: 'Every command about a conflict says that it may have been executed.',
    changes: [{ in: 'inLightOfConflict', find: 'intent?.isTaken ? $told : failure', put: 'failure' }],
    killers: [safety('charged-meanwhile')],
  },
  {
    name: 'a deletion is done, although the journal has what was paid',
    rule: 'What was paid is in doubt when a read shows it as over: no cancellation of it is done.',
    changes: [{ in: 'paidInSpite', find: "operation?.evidence?.refusals?.means !== 'done'", put: 'true' }],
    killers: [safety('doubt-kept')],
  },
  {
    name: 'a finalization is repeated after the time of its order',
    rule: 'A finalization is repeated inside the five minutes that count from the creation of its order.',
    changes: [{ in: 'mayBeSent', find: '[intent, ...writes]', put: '[intent]' }],
    killers: [safety('finalize-in-time')],
  },
]
