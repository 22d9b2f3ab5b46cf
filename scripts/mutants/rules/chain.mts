/** A journal that shows tampering, and payees that are known. */
import { command, lib } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

const verify = command('journal/verify')
const stories = lib('store/chain/chain')
const payees = command('payee/add')

export const chain: readonly Mutant[] = [
  {
    name: 'a link of the chain does not follow on the one before',
    rule: 'The hash of a link covers all links before it.',
    changes: [
      { in: 'linkHash', find: '[before, number, seals, changes]', put: '[before.slice(0, 0), number, seals, changes]' },
    ],
    killers: [verify],
  },
  {
    name: 'a link of the chain does not cover what it says of rows',
    rule: 'The hash of a link covers what it says.',
    changes: [{ in: 'linkHash', find: '[before, number, seals, changes]', put: '[before, number, seals]' }],
    killers: [verify, stories],
  },
  {
    name: 'a changed row of the journal has no link',
    rule: 'What a commit changes has a link in the same commit.',
    changes: [
      { in: 'notingChanges', find: "['insert', 'update', 'delete'] as const", put: "['insert', 'delete'] as const" },
    ],
    killers: [verify, stories],
  },
  {
    name: 'a commit of the journal has no link',
    rule: 'All writes of the journal go through the chain.',
    changes: [{ in: 'committed', find: 'isChained ? await linkNoted($transaction) : null', put: 'null' }],
    killers: [verify, stories],
  },
  {
    name: 'a row that was changed with its digest made anew is taken for whole',
    rule: 'A row is what the newest link says of it.',
    changes: [
      {
        in: 'Verifier.#row',
        find: 'content === told && $made',
        put: '$made',
      },
    ],
    killers: [verify],
  },
  {
    name: 'a row whose digest was left alone is taken for whole',
    rule: 'The digest of a row is made of its values.',
    changes: [
      {
        in: 'Verifier.#row',
        find: 'content === told && $made',
        put: 'content === told',
      },
    ],
    killers: [verify, stories],
  },
  {
    name: 'a row that was removed from the journal is not missed',
    rule: 'Every row that a link names is there.',
    changes: [{ in: 'Verifier.removed', find: 'if (count === $matched) return', put: 'if (count >= 0) return' }],
    killers: [verify, stories],
  },
  {
    name: 'a row that was put into the journal is not noticed',
    rule: 'Every row has a link.',
    changes: [{ in: 'Verifier.#row', find: "$this.#add({ kind: 'row-added', row })", put: ';' }],
    killers: [verify],
  },
  {
    name: 'any link of the number is the head that was kept',
    rule: 'A head is in the chain if its hash is.',
    changes: [{ in: 'headFinding', find: 'found?.hash.startsWith(kept.hash)', put: 'found' }],
    killers: [verify],
  },
  {
    name: 'a receipt bears the head of the time when the journal was opened',
    rule: 'The head of a receipt covers what the command has written.',
    changes: [{ in: 'fileStore', find: 'head = link ?? head', put: 'head = head ?? link' }],
    killers: [verify],
  },
  {
    name: 'digests of the journal let values be guessed after they were removed',
    rule: 'The digest of a row has chance of its own in it.',
    changes: [{ in: 'newRow', find: 'salt: drawn.slice(12)', put: 'salt: drawn.slice(0, 0)' }],
    killers: [stories],
  },
  {
    name: 'rows of an earlier build are not sealed',
    rule: 'A journal that is brought up to date is sealed as it stands.',
    changes: [{ in: 'sealRows', find: 'head = await addLink($$given)', put: 'head = null' }],
    killers: [lib('store/journal/migrations/007-chain')],
  },
  {
    name: 'a known name with another account is paid without a word',
    rule: 'A known name with another account is said before the money moves.',
    changes: [{ in: 'KnownPayees.alarm', find: '$others.length === 0 ? null : $alarm', put: 'null' }],
    killers: [payees, command('batch/plan')],
  },
  {
    name: 'the payees of another profile are known',
    rule: 'Each profile knows its own payees.',
    changes: [
      { in: 'payeesOf', find: "$query.where('profile', '=', profile)", put: "$query.where('profile', '!=', '')" },
    ],
    killers: [payees],
  },
  {
    name: 'a payee is known as soon as it was paid',
    rule: 'A paid payee is seen, a listed one known.',
    changes: [{ in: 'payeeStanding', find: "$paid ? 'seen' : 'new'", put: "$paid ? 'known' : 'new'" }],
    killers: [payees],
  },
]
