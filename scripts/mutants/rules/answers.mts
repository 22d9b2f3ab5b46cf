/** Proofs of one answer, and of all attempts together. */
import { command, everyWrite, lib, playing, safety, simulate } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

const verdict = lib('journal/verdict')

/** The answers to a single attempt. */
export const answers: readonly Mutant[] = [
  {
    name: '502 is read as a refusal',
    rule: 'An answer that is none of the service proves nothing.',
    changes: [
      {
        in: 'verdictIn',
        find: "return { kind: 'unknown', why: $read.why, words: $read.words, otherSum: $sum }",
        put: "return { kind: 'refused', words: $read.words, bodyOnly: false, status: null }",
      },
    ],
    killers: [safety('faults'), simulate],
  },
  {
    name: '500 with 5040 is read as a refusal',
    rule: 'A code that may come after the execution refuses nothing.',
    changes: [{ in: 'coded', find: "$ran === 'no'", put: "($ran === 'no' || words.statusCode === 5040)" }],
    killers: [safety('faults'), simulate],
  },
  {
    name: '503 is a definite no',
    rule: 'That the service is not available proves nothing.',
    changes: [
      {
        in: 'verdictIn',
        find: "return { kind: 'unknown', why: $why, words: $words, wait: $wait }",
        put: "return { kind: 'turned-away', by: 'rate', words: $words, wait: $wait }",
      },
    ],
    killers: [everyWrite, playing('turned-away')],
  },
  {
    name: 'no answer is read as "nothing was sent"',
    rule: 'A lost answer leaves the payment unknown.',
    changes: [
      {
        in: 'verdictIn',
        find: "return { kind: 'unknown', why: $why, words: null }",
        put: "return { kind: 'unsent', why: $why }",
      },
    ],
    killers: [safety('faults'), safety('first'), simulate],
  },
  {
    name: 'a redirect is no definite answer, and repeated',
    rule: 'A redirect turns the request away: it is told, not repeated.',
    changes: [
      {
        in: 'redirected',
        find: "return { kind: 'turned-away', by: 'redirect', ...$$more }",
        put: "return { kind: 'unknown', why: 'a redirect', words }",
      },
    ],
    killers: [command('payout/create')],
  },
  {
    name: 'group 6 is a refusal',
    rule: 'A code in a group that proves nothing refuses nothing.',
    changes: [{ in: 'ranNothing', find: "if ($known?.ran === 'no' && $group) $then", put: 'if ($known) $then' }],
    killers: [everyWrite, lib('contract/codes/code-book')],
  },
  {
    name: 'any success is done, whatever its status',
    rule: 'Only a status that the contract names says that a write was done.',
    changes: [{ in: 'verdictOfSuccess', find: '$proof.isDone($status)', put: 'true' }],
    killers: [safety('done'), playing('wrong-answers')],
  },
  {
    name: 'any status is a cancelled order',
    rule: 'An order is cancelled when its status says so.',
    changes: [{ in: 'cancelOrder', find: "doneIn('CANCELED')", put: '() => true' }],
    killers: [safety('done')],
  },
  {
    name: 'WRONG_AMOUNT is taken for a success',
    rule: 'A finalize is done with SUCCESS alone.',
    changes: [{ in: 'finalizeWalletOrder', find: "doneIn('SUCCESS')", put: "doneIn('SUCCESS', 'WRONG_AMOUNT')" }],
    killers: [everyWrite, simulate],
  },
  {
    name: 'ALREADY_FINALISED is always our own',
    rule: 'ALREADY_FINALISED says that somebody finalized it.',
    changes: [{ in: 'finalizeWalletOrder', find: "doneIn('SUCCESS')", put: "doneIn('SUCCESS', 'ALREADY_FINALISED')" }],
    killers: [everyWrite],
  },
  {
    name: 'a code beside the members of a success is overlooked',
    rule: 'A code of refusal counts wherever it stands in an answer.',
    changes: [{ in: 'readSuccess', find: 'if ($carrier) return codedOr($$words)', put: ';' }],
    killers: [safety('done'), lib('wire/sealed')],
  },
  {
    name: 'a refusal that tells of a success is believed',
    rule: 'An answer that contradicts itself proves nothing.',
    changes: [{ in: 'coded', find: 'done === null', put: 'true' }],
    killers: [safety('done'), safety('one-answer')],
  },
  {
    name: 'an answer that names no id is taken for ours',
    rule: 'An answer names the id that was asked for.',
    changes: [{ in: 'objection', find: '$missing.length > 0', put: '$missing.length > 9' }],
    killers: [safety('done')],
  },
  {
    name: 'an answer about another id is taken for ours',
    rule: 'An answer that speaks of another id is no answer.',
    changes: [{ in: 'otherThan', find: 'normalId($told) === normalId($asked)', put: "$told !== ''" }],
    killers: [safety('refund-traces')],
  },
]

/** The attempts of one intent, seen together. */
export const attempts: readonly Mutant[] = [
  {
    name: '5017 is read as a refusal',
    rule: 'That the id is known proves an earlier attempt whose answer was lost.',
    changes: [{ in: 'outcomeOf', find: "$new && $own ? 'exists' : 'refused'", put: "'refused'" }],
    killers: [safety('faults'), safety('kill'), command('payout/reconcile'), verdict, simulate],
  },
  {
    name: "5017 of somebody else's payout is read as our own",
    rule: 'Without an attempt that may have run, a known id is another payment.',
    changes: [
      {
        in: 'outcomeOf',
        find: "$new && $past.some($open) ? 'exists' : 'refused'",
        put: "$new && $past ? 'exists' : 'refused'",
      },
    ],
    killers: [command('payout/create-twice'), verdict, simulate],
  },
  {
    name: 'an attempt that was only turned away has made the payout that is there',
    rule: 'What was turned away was not executed.',
    changes: [
      {
        in: 'outcomeOf',
        find: "$new && $past.some($open) ? 'exists' : 'refused'",
        put: "$new && $past.some((each) => $open(each) || each.outcome === 'turned-away') ? 'exists' : 'refused'",
      },
    ],
    killers: [verdict, playing('turned-away')],
  },
  {
    name: 'a refusal of a repeat resolves an unknown payment',
    rule: 'The refusal of a repeat says nothing of the attempt before it.',
    changes: [
      {
        in: 'stateAfter',
        find: "$verdict.kind === 'refused' && $verdict.bodyOnly",
        put: "$verdict.kind === 'refused'",
      },
    ],
    killers: [safety('first'), verdict, simulate],
  },
  {
    name: 'a repeat that did not leave resolves an unknown payment',
    rule: 'A repeat that never left says nothing of the attempt before it.',
    changes: [
      {
        in: 'stateAfter',
        find: 'if ($past.some($open)) $then',
        put: "if ($past.some($open) && verdict.kind !== 'unsent') $then",
      },
    ],
    killers: [verdict, simulate],
  },
  {
    name: 'a redirect after a lost answer resolves the payment',
    rule: 'A repeat that was turned away says nothing of the attempt before it.',
    changes: [
      {
        in: 'stateAfter',
        find: 'if ($past.some($open)) $then',
        put: "if ($past.some($open) && outcome !== 'turned-away') $then",
      },
    ],
    killers: [safety('faults'), verdict, simulate],
  },
  {
    name: 'that the service has an id proves the sum',
    rule: 'A known id proves no sum until a read has shown it.',
    changes: [{ in: 'sumAfter', find: "sumFlag(verdict.kind === 'duplicate' && $shown)", put: 'sumFlag(true)' }],
    killers: [safety('not-moved')],
  },
]
