/** The persons of a store and its rules. Every change is signed. */

import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { ResultOf } from '../result.ts'
import { addPerson, addRule, removeRule, revokePerson, rulesIn } from '../store/journal/approvals.ts'
import type { PersonRow, RuleRow } from '../store/journal/schema.ts'
import { sameName } from '../text.ts'
import { provenRules, ruleInWords, ruleStatement } from './decide.ts'
import {
  ActingStore,
  additionOf,
  isAdministrator,
  type ProvenPersons,
  type personRoles,
  plainWords,
  provenPersons,
  requireAdministrator,
  revocationOf,
} from './persons.ts'
import type { personResult } from './result.ts'
import { isPublicKey, type PersonKey } from './signatures.ts'

export type Person = ResultOf<typeof personResult>

/** Without a public key: the one whose key signs. */
interface NewPerson {
  readonly name: string
  readonly publicKey: string | null
  readonly role: (typeof personRoles)[number]
}

type NewRule = Pick<RuleRow, 'currency' | 'from_units' | 'approvers'>

function personOf({ id, name, public_key, role, added_at, revoked_at }: PersonRow): Person {
  return { personId: id, name, role, publicKey: public_key, addedAt: added_at, revokedAt: revoked_at }
}

export class Team extends ActingStore {
  persons(): Promise<Person[]> {
    return this.store.read(async (db) => (await provenPersons(db)).all.map(personOf))
  }

  /** The first person adds itself, as the administrator. Throws duplicate (7), credentials (4), usage (2). */
  add({ name, publicKey, role }: NewPerson, key: PersonKey): Promise<Person> {
    const words = plainWords(name, 'the name of a person')
    if (words === '') throw new Failure('usage', 'a person needs a name')
    if (publicKey !== null && !isPublicKey(publicKey)) {
      throw new Failure('usage', '--public-key takes the line that `team key generate` prints: ed25519:…')
    }
    return this.change(async (db) => {
      const persons = await provenPersons(db)
      const { id, salt } = this.newName('u')
      const isFirst = persons.all.length === 0
      if (isFirst && publicKey !== null && publicKey !== key.publicKey) {
        const words = 'the first person of a store adds themselves: omit --public-key, or give that of --person-key'
        throw new Failure('usage', words)
      }
      const by = isFirst ? id : requireAdministrator(persons, key.publicKey).id
      const public_key = publicKey ?? key.publicKey
      mustBeNew(persons, words, public_key)
      const row = { id, salt, name: words, public_key, role: isFirst ? 'administrator' : role }
      const added = { ...row, added_at: this.iso, added_by: by }
      const signature = key.sign('person', additionOf(added))
      return personOf(
        await addPerson(db, { ...added, signature, revoked_at: null, revoked_by: null, revocation: null }),
      )
    })
  }

  /** Nothing that the person signed counts any more for what was not sent. Throws not-found (6), usage (2). */
  revoke(named: string, key: PersonKey): Promise<Person> {
    return this.change(async (db) => {
      const persons = await provenPersons(db)
      const by = requireAdministrator(persons, key.publicKey)
      const person = personNamed(persons, named)
      const others = persons.all.filter((each) => each.id !== person.id && each.revoked_at === null)
      if (isAdministrator(person) && !others.some(isAdministrator)) {
        const message = `${person.name} is the last administrator; without one nobody could add or revoke persons`
        const add = paste('team key add', 'name', '--administrator')
        throw new Failure('usage', message, { hints: [hint`Add another administrator first: \`${add}\`.`] })
      }
      const at = this.iso
      const revocation = key.sign('revocation', revocationOf(person, by.id, at))
      return personOf(await revokePerson(db, person, { revoked_at: at, revoked_by: by.id, revocation }))
    })
  }

  rules(): Promise<RuleRow[]> {
    return this.store.read(async (db) => provenRules(await rulesIn(db), await provenPersons(db)))
  }

  /** Throws duplicate (7) where the currency has a rule with as many approvers. */
  addRule(rule: NewRule, key: PersonKey): Promise<{ readonly rule: RuleRow; readonly isWithinReach: boolean }> {
    return this.change(async (db) => {
      const persons = await provenPersons(db)
      const by = requireAdministrator(persons, key.publicKey)
      const standing = provenRules(await rulesIn(db), persons)
      const same = standing.find((each) => each.currency === rule.currency && each.approvers === rule.approvers)
      if (same) {
        const remove = paste('team rule remove', same.id)
        throw new Failure('duplicate', `this rule exists already: ${ruleInWords(same)} (${same.id})`, {
          moneyMoved: 'no',
          hints: [hint`To change its amount, remove it and add it again: \`${remove}\`.`],
        })
      }
      const { id, salt } = this.newName('r')
      const row = { id, salt, ...rule, added_at: this.iso, added_by: by.id }
      const signature = key.sign('rule', ruleStatement(row, by.id, row.added_at))
      const end = { removed_at: null, removed_by: null, removal: null }
      const active = persons.all.filter(({ revoked_at }) => revoked_at === null)
      return { rule: await addRule(db, { ...row, ...end, signature }), isWithinReach: active.length > rule.approvers }
    })
  }

  /** Throws not-found (6). */
  removeRule(id: string, key: PersonKey): Promise<RuleRow> {
    return this.change(async (db) => {
      const persons = await provenPersons(db)
      const by = requireAdministrator(persons, key.publicKey)
      const rule = provenRules(await rulesIn(db), persons).find((each) => each.id === id.trim().toLowerCase())
      if (!rule) {
        const hints = [hint`\`${paste('team rule list')}\` lists them.`]
        throw new Failure('not-found', `the store has no rule ${id}`, { hints })
      }
      const at = this.iso
      const removal = key.sign('removal', ruleStatement(rule, by.id, at))
      return removeRule(db, rule, { removed_at: at, removed_by: by.id, removal })
    })
  }
}

function mustBeNew(persons: ProvenPersons, name: string, publicKey: string): void {
  const known = persons.all.find(({ public_key }) => public_key === publicKey)
  if (known) throw taken(known, 'this key', known.revoked_at === null ? 'is that of' : 'was that of')
  const same = persons.all.find((each) => each.revoked_at === null && sameName(each.name, name))
  if (same) throw taken(same, `the name ${name}`, 'is that of')
}

function taken({ name, id }: PersonRow, what: string, how: string): Failure {
  return new Failure('duplicate', `${what} ${how} ${name} (${id}): a person has one key and one name`, {
    moneyMoved: 'no',
    hints: [hint`\`${paste('team key list')}\` shows the persons.`],
  })
}

function personNamed(persons: ProvenPersons, named: string): PersonRow {
  const text = named.trim()
  const active = persons.all.filter(({ revoked_at }) => revoked_at === null)
  const found = active.find(({ id }) => id === text.toLowerCase()) ?? active.find(({ name }) => sameName(name, text))
  if (found) return found
  throw new Failure('not-found', `the store has no person ${text}`, {
    hints: [hint`\`${paste('team key list')}\` lists them.`],
  })
}
