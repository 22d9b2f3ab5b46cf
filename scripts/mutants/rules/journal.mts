/** Several runs at one journal: holds, clocks, suspected duplicates, and a journal that fails. */
import { command, everyWrite, lib, playing, safety, simulate } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

const journalTests = lib('journal/journal')
const purge = command('journal/purge')

export const journal: readonly Mutant[] = [
  {
    name: 'a purge takes what is unknown',
    rule: 'What is open keeps all that resolves it.',
    changes: [{ in: 'stayingOf', find: "if (!$executed && !neverRan.has($state)) return 'open'", put: '' }],
    killers: [purge],
  },
  {
    name: 'a purge takes the digest of the request',
    rule: 'A key with other content is refused, whatever was removed.',
    changes: [{ in: 'intentWithout', find: 'payee: removedWord', put: 'payee: removedWord, body_digest: removedWord' }],
    killers: [purge],
  },
  {
    name: 'a purge keeps the salt of what it removes',
    rule: 'No digest of the chain lets what was removed be guessed.',
    changes: [{ in: 'without', find: "$random.uuid().replaceAll('-', '')", put: "(candidate.row.salt ?? '')" }],
    killers: [purge],
  },
  {
    name: 'a purge leaves the old texts in the log',
    rule: 'What was removed is gone from the bytes of the journal.',
    changes: [{ in: 'rewritten', find: "'pragma wal_checkpoint(truncate)'", put: "'pragma wal_checkpoint(passive)'" }],
    killers: [purge],
  },
  {
    name: 'a purge leaves the old texts in the file',
    rule: 'What was removed is gone from the bytes of the journal.',
    changes: [{ in: 'rewritten', find: "await db.executeQuery(CompiledQuery.raw('vacuum'))", put: '' }],
    killers: [purge],
  },
  {
    name: 'a payment that another run holds is sent',
    rule: 'One request is in flight per id.',
    changes: [{ in: 'isHeld', find: "if ($standing !== 'unknown') $then", put: 'if ($standing) return false' }],
    killers: [safety('exit-codes'), journalTests, simulate],
  },
  {
    name: 'a run that was killed holds the payment for ever',
    rule: 'The hold of a process that is dead is over.',
    changes: [{ in: 'isHeld', find: "if ($standing !== 'unknown') $then", put: 'if ($standing) return true' }],
    killers: [safety('kill'), journalTests],
  },
  {
    name: 'what another run left unknown meanwhile is sent once more',
    rule: 'The transaction that records an attempt decides whether it may be made.',
    changes: [{ in: 'isCleared', find: '$attempts <= $clearance', put: '$attempts >= 0' }],
    killers: [safety('held-lock'), playing('held-lock')],
  },
  {
    name: 'a look at the journal mixes two moments',
    rule: 'What is read together is read as it stood at one moment.',
    changes: [{ in: 'fileStore', find: 'told(() => ofOneMoment(db).execute(work))', put: 'told(() => work(db))' }],
    killers: [lib('store/engine/open')],
  },
  {
    name: 'a journal that fails after the sending is told as "nothing was sent"',
    rule: 'After the first byte a failure of the journal leaves the payment unknown.',
    changes: [
      { in: 'Run.#journalled', find: 'if (!$departed || $refused) throw $error', put: 'throw $error' },
      { in: 'Run.drive', find: '$departed && $failed ? $told : $error', put: '$error' },
    ],
    killers: [safety('disk')],
  },
  {
    name: 'the currency of an order is asked for after its answer',
    rule: 'No reading of the journal stands between an answer and its verdict.',
    changes: [
      { in: 'Run.drive', find: '$departed && $failed ? $told : $error', put: '$error' },
      {
        in: 'Run.#answered',
        find: 'classify($operation, $request, $read, $now, $currency)',
        put: 'classify($operation, $request, $read, $now, (await withCurrency(desk.journal, [this.#intent]))[0]?.currency ?? $currency)',
      },
    ],
    killers: [safety('unread-journal')],
  },
  {
    name: 'a clock that was set makes a request in flight an old one',
    rule: 'Enough time has passed when both clocks say so.',
    changes: [
      {
        in: 'certainlyPassed',
        find: 'if ($steady !== null) return Math.min($byClock, $steady)',
        put: 'if ($steady !== null) return $byClock',
      },
    ],
    killers: [playing('clock-step')],
  },
  {
    name: 'the clock of a machine to which the home has moved makes a request old',
    rule: 'A clock that is set makes no evidence older, on whichever machine.',
    changes: [{ in: 'ageOf', find: 'isFromHere ? sent : null', put: 'sent' }],
    killers: [safety('moved-home')],
  },
  {
    name: 'a machine of the same name is the same, however long it has been up',
    rule: 'A start that is older than what was sent is one of another machine.',
    changes: [{ in: 'isOfThisMachine', find: 'milliseconds <= byClock', put: 'milliseconds >= 0' }],
    killers: [safety('moved-home'), lib('journal/moment')],
  },
  {
    name: 'a clock that is set back lengthens a deadline',
    rule: 'A deadline is over when either clock says so.',
    changes: [{ in: 'mayHavePassed', find: 'Math.max($byClock, $steady)', put: '$byClock' }],
    killers: [playing('asleep,clock-step'), lib('journal/moment')],
  },
  {
    name: 'a re-spelled host is another service',
    rule: 'An address is the same service however it is spelled.',
    changes: [{ in: 'readOrigin', find: "$loopback.test($name) ? '127.0.0.1' : $name", put: '$name' }],
    killers: [playing('respelled'), lib('contract/service')],
  },
  {
    name: 'the second of two suspected duplicates goes out on a live profile',
    rule: 'A suspected duplicate of the last 24 hours is refused on a live profile.',
    changes: [
      {
        in: 'suspectedOf',
        find: "if ($guard.duplicates === 'refuse') $then",
        put: "if ($guard.duplicates === 'warn') $then",
      },
    ],
    killers: [command('payout/create-twice'), journalTests],
  },
  {
    name: 'a second refund goes out while the first is unknown',
    rule: 'A write that could not be told from its duplicate waits until that one is resolved.',
    changes: [{ in: 'suspectedOf', find: "$open && $guard.unknownDuplicates === 'refuse'", put: 'false' }],
    killers: [journalTests, everyWrite],
  },
  {
    name: 'a refund that was turned away goes out while another of its sum is unknown',
    rule: 'A write that could not be told from its duplicate waits until that one is resolved.',
    changes: [{ in: 'guardNow', find: "$state === 'turned-away'", put: 'false' }],
    killers: [safety('orders-found')],
  },
  {
    name: 'a payment that another run is about to repeat is no suspected duplicate',
    rule: 'What another run holds may be executed.',
    changes: [
      {
        in: 'suspectedOf',
        find: "$row.state === 'unknown' || isHeld($row, $present)",
        put: "$row.state === 'unknown'",
      },
    ],
    killers: [journalTests],
  },
  {
    name: 'half of a surrogate pair is sealed as it came',
    rule: 'What is sealed is what every database gives back.',
    changes: [{ in: 'sealed', find: 'storable($value)', put: '$value' }],
    killers: [safety('nul'), lib('store/journal/seal')],
  },
]
