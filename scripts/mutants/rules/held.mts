/** Limits of a profile: what counts, once and when, and what is held. */
import { command, lib, safety } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

const counting = lib('journal/limits/limits')
const single = command('payout/limits')
const plans = command('batch/limits')
const opening = 'heldBack($db, $draft, $row, decision, $making)'
const notOpening = 'heldBack($db, $draft, $row, { ...decision, because: null }, $making)'

export const held: readonly Mutant[] = [
  {
    name: 'a limit is looked at outside of the transaction that opens',
    rule: 'The transaction that opens an attempt decides whether it fits.',
    changes: [{ in: 'opened', find: opening, put: notOpening }],
    killers: [counting, safety('limits')],
  },
  {
    name: 'what did not leave is tried again without a look at the limits',
    rule: 'An attempt after one that gave its sum back has to fit anew.',
    changes: [{ in: 'openedAgain', find: opening, put: notOpening }],
    killers: [counting],
  },
  {
    name: 'a repeat is counted twice',
    rule: 'A payment counts once for each id.',
    changes: [
      { in: 'changeCounted', find: 'if ($before && $after && isSameCount($row, $changed)) return $changed', put: ';' },
      { in: 'changeCounted', find: 'if (before) await $takenAway', put: 'if (before && !after) await $takenAway' },
    ],
    killers: [counting, single],
  },
  {
    name: 'a repeat of a payment that counts already is held',
    rule: 'What was sent is never held.',
    changes: [{ in: 'heldBecause', find: '$row && isCounted($row)', put: 'false' }],
    killers: [counting, single],
  },
  {
    name: 'a repeat counts on the day on which it is made',
    rule: 'A payment counts by its first attempt.',
    changes: [
      {
        in: 'underWay',
        find: 'changed_at: now',
        put: 'changed_at: now, opened_at: now',
      },
    ],
    killers: [counting],
  },
  ...(['refused', 'unsent'] as const).map((state) => ({
    name: `a payment that is ${state} does not give its sum back`,
    rule: 'Refused and unsent payments give their sum back.',
    changes: [
      {
        in: 'uncountedStates',
        find: "['refused', 'unsent', 'held']",
        put: state === 'refused' ? "['unsent', 'held']" : "['refused', 'held']",
      },
    ],
    killers: [counting, single],
  })),
  {
    name: 'an unknown payment gives its sum back',
    rule: 'An unknown payment may have been executed: it counts.',
    changes: [
      { in: 'uncountedStates', find: "['refused', 'unsent', 'held']", put: "['refused', 'unsent', 'held', 'unknown']" },
    ],
    killers: [counting, single],
  },
  {
    name: 'a conflict gives its sum back',
    rule: 'A payment whose id is taken may have been executed: it counts.',
    changes: [{ in: 'isCounted', find: 'isTaken($row) || $counts', put: '$counts' }],
    killers: [counting],
  },
  {
    name: 'a day begins at midnight of UTC',
    rule: 'Days are those of Asia/Tbilisi.',
    changes: [
      { in: 'dayStart', find: 'Math.floor((now + zone) / day) * day - zone', put: 'Math.floor(now / day) * day' },
    ],
    killers: [lib('spending/window'), command('profile/show')],
  },
  {
    name: 'an hour is the whole minute longer in which it begins',
    rule: 'An hour is the last 60 minutes.',
    changes: [{ in: 'lastHour', find: 'now - hourLength + 1', put: 'now - hourLength - minuteLength' }],
    killers: [counting],
  },
  {
    name: 'a clock that is set back frees what was spent',
    rule: 'What was opened after the beginning of a window counts, and later, too.',
    changes: [
      {
        in: 'lastHour',
        find: 'return [...$first, ...$minutes]',
        put: 'return [...$first, ...minutes.filter(({ minute }) => String(minute) <= isoOf(now)).map((sum) => spending(sum, now))]',
      },
    ],
    killers: [counting],
  },
  {
    name: 'a payment that is exactly what is left is held',
    rule: 'A limit is the most that passes.',
    changes: [{ in: 'shortagesOf', find: 'used + needed <= limit.most', put: 'used + needed < limit.most' }],
    killers: [lib('spending/shortage'), single, plans],
  },
  {
    name: 'a limit counts the sums of other currencies',
    rule: 'A sum limits its own currency.',
    changes: [{ in: 'amountOf', find: 'currency === null ? spendings : $own', put: 'spendings' }],
    killers: [lib('spending/shortage')],
  },
  {
    name: 'a service at another address of its own has limits of its own',
    rule: 'Counted are the payouts of a client of a service, however its address is spelled.',
    changes: [{ in: 'ofPlace', find: 'originOf($service)', put: '$service' }],
    killers: [counting],
  },
  {
    name: 'what is held is sent by whatever comes across it',
    rule: 'A held payment is sent when it is asked for by its own id or key.',
    changes: [{ in: 'heldBecause', find: "row?.state === 'held' && !sendsHeld", put: 'false' }],
    killers: [counting],
  },
  {
    name: 'a run of a plan sends its held rows',
    rule: 'A held row is sent by its own id.',
    changes: [
      { in: 'newStates', find: "['unsent', 'planned']", put: "['unsent', 'planned', 'held']" },
      { in: 'sending', find: 'sendsHeld: false', put: 'sendsHeld: true' },
    ],
    killers: [plans],
  },
  {
    name: 'a plan over its limits is begun',
    rule: 'A plan that does not fit is held whole before its first row.',
    changes: [
      { in: 'overLimit', find: 'if (shortages.length === 0) $then', put: 'if (shortages.length >= 0) return null' },
    ],
    killers: [plans],
  },
  {
    name: 'a plan is run under other limits than it was made under',
    rule: 'A plan whose limits were changed is stale.',
    changes: [{ in: 'conditionsOf', find: 'limits.length === 0 ? [] : [limits]', put: '[]' }],
    killers: [plans],
  },
  {
    name: 'a held payment is sent although another one was made in its place',
    rule: 'A held payment meets the duplicate guard when it is sent.',
    changes: [{ in: 'guardOfRepeat', find: "state === 'held' ? duplicateGuard : 'off'", put: "'off'" }],
    killers: [single],
  },
  {
    name: 'a limit is loosened in passing',
    rule: 'What a profile has is changed with --replace only.',
    changes: [{ in: 'limitsAfter', find: 'given.replace === true ? [] : $complaints', put: '[]' }],
    killers: [command('profile/add')],
  },
  {
    name: 'a number of payouts is read as a hundred times as many',
    rule: 'A limit is what was typed.',
    changes: [{ in: 'numberOf', find: 'units / 100n', put: 'units' }],
    killers: [lib('spending/limit'), single],
  },
]
