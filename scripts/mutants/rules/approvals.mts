/** Four eyes: whose word counts, for what, how often, and from which sum on it is asked for. */
import { command, lib, playing, safety } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

const inJournal = lib('journal/approvals/approvals')
const onePayment = command('approval/request')
const approving = command('approval/approve')
const plans = command('batch/approvals')
const signed = lib('journal/approvals/persons/signed')
const persons = command('team/key/add')

export const approvals: readonly Mutant[] = [
  {
    name: 'the maker approves, too',
    rule: 'Maker and approver are never the same person.',
    changes: [
      { in: 'Approvals.decide', find: 'if (person.id === row.maker) $then', put: ';' },
      { in: 'isProvenVote', find: '!person || person.id === facts.maker', put: '!person' },
    ],
    killers: [approving, safety('four-eyes'), playing('team')],
  },
  {
    name: 'a signature of an approver is not looked at',
    rule: 'The signature is checked by whoever sends.',
    changes: [
      {
        in: 'isProvenVote',
        find: "return isSignedBy($key, 'decision', $statement, $signature)",
        put: 'return true',
      },
    ],
    killers: [lib('journal/approvals/proof')],
  },
  {
    name: 'a signature of a maker is not looked at',
    rule: 'The request is signed by its maker.',
    changes: [
      {
        in: 'provenApproval',
        find: "!maker || !isWhole || !isSignedBy($key, 'request', facts, $signature)",
        put: '!maker || !isWhole',
      },
    ],
    killers: [lib('journal/approvals/proof')],
  },
  {
    name: 'an approval stands whatever is sent',
    rule: 'Any change makes an approval void.',
    changes: [{ in: 'provenApproval', find: 'subject !== null && !isAbout(facts, subject)', put: 'false' }],
    killers: [inJournal, onePayment, playing('team')],
  },
  {
    name: 'an approval stands at another address',
    rule: 'An approval is bound to the origin.',
    changes: [
      { in: 'decideByRules', find: 'const place = { ...first, ...asking.sender }', put: 'const place = { ...first }' },
    ],
    killers: [inJournal],
  },
  {
    name: 'an approval that has expired counts',
    rule: 'An expired approval is 13 again.',
    changes: [{ in: 'provenApproval', find: "isExpired ? 'expired' : 'open'", put: "'open'" }],
    killers: [onePayment, plans],
  },
  {
    name: 'an approval is used again after a refusal',
    rule: 'An approval is used once.',
    changes: [{ in: 'mayBeUsed', find: "subject === 'plan' || standing === 'unsent'", put: 'true' }],
    killers: [inJournal],
  },
  {
    name: 'an approval is not marked as used',
    rule: 'An approval is used once.',
    changes: [{ in: 'useUp', find: 'if (approval.used_at === null) $then', put: 'void approval.used_at' }],
    killers: [onePayment, plans],
  },
  {
    name: 'a no is not heard',
    rule: 'A request that one has rejected is over.',
    changes: [{ in: 'provenApproval', find: "proven.some(({ decision }) => decision === 'reject')", put: 'false' }],
    killers: [command('approval/reject')],
  },
  {
    name: 'a person who was revoked still counts',
    rule: 'What a revoked person signed counts no more.',
    changes: [{ in: 'ProvenPersons.active', find: 'row && row.revoked_at === null ? row : null', put: 'row ?? null' }],
    killers: [onePayment],
  },
  {
    name: 'whoever has a key administrates',
    rule: 'Persons and rules are signed by an administrator.',
    changes: [{ in: 'requireAdministrator', find: 'if (isAdministrator(person)) return person', put: 'return person' }],
    killers: [persons, command('team/rule/add')],
  },
  {
    name: 'everybody is the first person',
    rule: 'Only the first person adds itself.',
    changes: [{ in: 'Team.add', find: 'persons.all.length === 0', put: 'persons.all.length >= 0' }],
    killers: [persons],
  },
  {
    name: 'small ones are not added up',
    rule: 'The sum that counts is that of the day with the new one.',
    changes: [{ in: 'ruleReached', find: 'before.reduce($add, asked.units)', put: 'asked.units' }],
    killers: [lib('journal/approvals/rules'), onePayment, plans, playing('team')],
  },
  {
    name: 'leaving the key out begins a new day',
    rule: 'A sender who is no person counts with everybody.',
    changes: [
      {
        in: 'countsFor',
        find: "asked.maker === '' || maker === '' || maker === asked.maker",
        put: 'maker === asked.maker',
      },
    ],
    killers: [lib('journal/approvals/rules'), onePayment],
  },
  {
    name: 'exactly the sum of a rule passes',
    rule: 'A rule asks from its sum on.',
    changes: [{ in: 'ruleReached', find: 'sum >= BigInt($from)', put: 'sum > BigInt($from)' }],
    killers: [lib('journal/approvals/rules'), onePayment],
  },
  {
    name: 'one is enough for two',
    rule: 'A rule says how many others approve.',
    changes: [{ in: 'decideOn', find: 'needs <= approvers', put: 'approvers > 0 || needs === 0' }],
    killers: [onePayment],
  },
  {
    name: 'a payment is not counted for the day',
    rule: 'The sum of a day counts what was opened in it.',
    changes: [{ in: 'addCounted', find: 'if (isCounted(intent)) await countInDay($db, $rows)', put: ';' }],
    killers: [onePayment, inJournal],
  },
  {
    name: 'what was refused counts on for the day',
    rule: 'A refused payment gives its sum back.',
    changes: [{ in: 'changeCounted', find: 'await countInDay($db, $changes)', put: ';' }],
    killers: [onePayment],
  },
  {
    name: 'a group is opened without a look at the rules',
    rule: 'The rules are asked in the transaction that opens.',
    changes: [
      { in: 'plainAmong', find: 'ruling.because === null ? $free : none', put: '{ plain: new Set(free), ruling }' },
    ],
    killers: [inJournal],
  },
  {
    name: 'a plan is begun and its rows wait',
    rule: 'A plan is held whole before its first row.',
    changes: [{ in: 'heldWhole', find: 'isRuled ? waiting(own, rows, day) : null', put: 'null' }],
    killers: [plans],
  },
  {
    name: 'a row that was changed after the look at its plan is sent',
    rule: 'What is sent is what was agreed to, to the last row.',
    changes: [{ in: 'SeenRows.has', find: 'return $digest.equals($seen)', put: 'return true' }],
    killers: [plans],
  },
  {
    name: 'two statements have one text',
    rule: 'What is signed says everything.',
    changes: [{ in: 'signedText', find: "JSON.stringify(values[name] ?? '')", put: "values[name] ?? ''" }],
    killers: [signed],
  },
  {
    name: 'a held request that was changed in the store is sent',
    rule: 'What is sent is what was kept.',
    changes: [
      {
        in: 'mustBeAsHeld',
        find: 'columns.every((column) => told[column] === intent[column])',
        put: 'columns.length > 0',
      },
    ],
    killers: [lib('journal/approvals/proof')],
  },
  {
    name: 'what comes from a journal of its own counts on no day',
    rule: 'Many small payments are a large one, also those that were sent before the journal was brought along.',
    changes: [{ in: 'copied', find: 'await countInDay($$of)', put: 'void countInDay' }],
    killers: [command('journal/import')],
  },
  {
    name: 'what another store approved is approved here',
    rule: 'Of persons and approvals of another store a store knows nothing.',
    changes: [{ in: 'copied', find: 'own.map(ofNobody)', put: 'own' }],
    killers: [command('journal/import')],
  },
]
