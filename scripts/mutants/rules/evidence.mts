/** Evidence of a read about a write whose answer was lost, and the words about it. */
import { command, everyWrite, lib, playing, safety, simulate } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

export const evidence: readonly Mutant[] = [
  {
    name: 'a failed try ends an order that may be paid again',
    rule: 'An order with validUntil may be paid again until then.',
    changes: [
      {
        in: 'notYetEnded',
        find: "if (read === 'FAILED') return failedOnce",
        put: '',
      },
    ],
    killers: [safety('payable-again')],
  },
  {
    name: 'a clock that is set ahead ends an order before its validUntil',
    rule: 'Within one start of the machine no more time has passed than the steady time says.',
    changes: [{ in: 'certainTime', find: 'Math.min(present.now, $$others)', put: 'present.now' }],
    killers: [safety('payable-again')],
  },
  {
    name: 'a card that cannot be read denies the charge of another run',
    rule: 'A charge that was sent meanwhile is told, whatever the read of its card says.',
    changes: [{ in: 'charging', find: 'desk.signal.aborted ? null : await sentBefore()', put: 'null' }],
    killers: [safety('charged-meanwhile')],
  },
  {
    name: 'a validUntil is over to the second',
    rule: 'That enough time has passed is believed of no clock to the hour.',
    changes: [{ in: 'hasPassed', find: 'now >= end + $margin', put: 'now >= end' }],
    killers: [safety('payable-again')],
  },
  {
    name: 'a mistyped profile denies what the right one has sent',
    rule: 'A name that no profile has may stand for any.',
    changes: [
      { in: 'ofProfile', find: 'if (failure instanceof UnknownProfile) return {}', put: 'if (!failure) return {}' },
      { in: 'ofProfile', find: 'profile === undefined || !$there', put: 'profile === undefined' },
    ],
    killers: [safety('unknown-profile')],
  },
  {
    name: 'an order that the service does not know yet was not executed',
    rule: 'What is not known yet may still be on its way.',
    changes: [
      {
        in: 'shown',
        find: "return { kind: 'absent', because: $because }",
        put: "return { kind: 'over', status: '', because: $because }",
      },
    ],
    killers: [everyWrite, simulate],
  },
  {
    name: 'no trace of a write means at once that it did not run',
    rule: 'No trace counts only after fifteen minutes.',
    changes: [
      { in: 'expectNoMore', find: 'if (sent < $long) $then', put: 'if (sent < 0) $then' },
      { in: 'expectNoMore', find: 'if (known < $long) $then', put: 'if (known < 0) $then' },
    ],
    killers: [everyWrite, simulate],
  },
  {
    name: 'what a read showed grows old while its reader sleeps',
    rule: 'What a read showed is as old as its question.',
    changes: [
      {
        in: 'expectNoMore',
        find: 'ageOf($journal, $intent, $asked)',
        put: 'ageOf($journal, $intent, momentOf(desk.clock))',
        imports: ['momentOf'],
      },
    ],
    killers: [everyWrite],
  },
  {
    name: 'a refund that looks executed is called executed',
    rule: 'A refund has no id of its own: another one would look the same.',
    changes: [
      {
        in: 'refundShown',
        find: "refundShows('unclear')",
        put: "refundShows('executed')",
      },
    ],
    killers: [everyWrite],
  },
  {
    name: 'a finalize of another sum is told as ours',
    rule: 'A finalize of another sum resolves nothing.',
    changes: [
      {
        in: 'evidenceIn',
        find: 'if ($difference !== null) $then',
        put: 'if ($difference === undefined) $then',
      },
    ],
    killers: [everyWrite, simulate],
  },
  {
    name: 'ALREADY_FINALISED is ours although the details contradict it',
    rule: 'Of ALREADY_FINALISED the details say whose it was.',
    changes: [
      {
        in: 'whoseItIs',
        find: "if ($evidence.kind === 'executed') $then",
        put: "if ($evidence.kind !== 'differs') return duplicate\n$all",
      },
    ],
    killers: [everyWrite, command('wallet/finalize')],
  },
  {
    name: 'a cancellation that was done once is done for ever',
    rule: 'A cancellation that is asked for again is read again.',
    changes: [
      {
        in: 'askedAgain',
        find: "if ($evidence.kind === 'executed') return $done",
        put: 'if ($evidence) return $done',
      },
    ],
    killers: [safety('asked-again')],
  },
  {
    name: 'an order whose creation is open is told as none',
    rule: 'While a creation is open, a read that finds nothing proves nothing.',
    changes: [
      {
        in: 'unread',
        find: 'if ($open) return unreadWhileOpen($$told)',
        put: ';',
      },
    ],
    killers: [command('order/status')],
  },
  {
    name: 'a read that is stopped is told as "nothing was sent"',
    rule: 'Whatever ends a command tells how the payment in play stands.',
    changes: [
      {
        in: 'told',
        find: 'if (!($error instanceof Failure)) $then',
        put: 'if (!($error instanceof Failure) && signal.aborted) throw $error\n$all',
      },
    ],
    killers: [playing('interrupted')],
  },
  {
    name: 'a key is resolved as a profile that was not named',
    rule: 'A key stands for payments of several profiles: one is named.',
    changes: [{ in: 'Desks.named', find: 'if ($named || $key) throw $why', put: 'if ($named) throw $why' }],
    killers: [command('resume')],
  },
  {
    name: 'a key is taken for the id of the same text',
    rule: 'What is named by its id is never another one whose key reads alike.',
    changes: [
      {
        in: 'meant',
        find: "if ($found.length > 0) return { by: 'id', intents: $found }",
        put: "if ($found.length > 0) return { by: 'id', intents: [...intents.filter(({ businessKey }) => businessKey === text), ...$found] }",
      },
    ],
    killers: [safety('named'), lib('journal/named')],
  },
  {
    name: 'a UUID that is only a key stands for the order of that key',
    rule: 'The service may have another order of that id.',
    changes: [
      { in: 'orderIn', find: "$mayBe === 'either' && $alike && $other", put: "$mayBe === 'key' && $alike && $other" },
    ],
    killers: [safety('named')],
  },
  {
    name: 'a refusal is believed beside another code in its list of errors',
    rule: 'An answer that tells two codes proves nothing, wherever they stand.',
    changes: [{ in: 'besideCode', find: 'twoCodesIn(objects)', put: 'twoCodesIn(objects.slice(0, 0))' }],
    killers: [safety('code-alone')],
  },
  {
    name: 'a refusal is believed beside an envelope that holds no error',
    rule: 'The sealed answer may be that of what was executed.',
    changes: [{ in: 'besideCode', find: '!isOtherThanError(opened.value)', put: 'isOtherThanError !== null' }],
    killers: [safety('code-alone')],
  },
  {
    name: 'a 401 is believed over another code in its errors',
    rule: 'A status that turns away is believed over one plain error only.',
    changes: [{ in: 'contradictedBy', find: 'objectsBelow(body)', put: '[body]' }],
    killers: [safety('code-alone')],
  },
]
