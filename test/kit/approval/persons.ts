/** Persons with keys in the store of a home, and the rules that ask them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newPersonKey } from '../../../src/lib/approvals/signatures.ts'
import { newHome, paydesk, type Surroundings } from '../program/paydesk.ts'
import { temporaryDirectory } from '../run/temporary.ts'

export interface KeyFile {
  readonly file: string
  readonly publicKey: string
}

/** The key of a person, in a file of a directory of its own. */
export function keyFile(): KeyFile {
  const file = join(temporaryDirectory('person'), 'own.key')
  const { pem, publicKey } = newPersonKey()
  writeFileSync(file, pem, { mode: 0o600 })
  return { file, publicKey }
}

/** Arguments that name the key of a person. */
export const as = ({ file }: KeyFile) => ['--person-key', file]

export async function did(argv: readonly string[], around: Surroundings) {
  const ended = await paydesk([...argv, '--json'], around)
  if (ended.code !== 0) throw new Error(`${argv.join(' ')} ended with ${ended.code}: ${ended.stderr}`)
  return ended.json
}

export interface NewRule {
  readonly from: string
  readonly approvers?: number
  readonly currency?: string
}

/** Anna, who is the administrator, Nino and Giorgi; and rules such as `{ from: '1000' }`. */
export async function people(around: Surroundings, ...rules: readonly NewRule[]) {
  const [anna, nino, giorgi] = [keyFile(), keyFile(), keyFile()]
  await did(['team', 'key', 'add', 'Anna', ...as(anna)], around)
  for (const [name, { publicKey }] of [['Nino', nino] as const, ['Giorgi', giorgi] as const]) {
    await did(['team', 'key', 'add', name, '--public-key', publicKey, ...as(anna)], around)
  }
  for (const { from, approvers = 1, currency = 'GEL' } of rules) {
    const rule = ['--currency', currency, '--from', from, '--approvers', String(approvers)]
    await did(['team', 'rule', 'add', ...rule, ...as(anna)], around)
  }
  return { anna, nino, giorgi }
}

/** A home of its own with these people and rules. */
export async function peopleAtHome(...rules: readonly NewRule[]) {
  const around: Surroundings = { home: newHome() }
  return { around, ...(await people(around, ...rules)) }
}

/** Asks for an approval, and gives its id. */
export async function asked(id: string, key: KeyFile, around: Surroundings, ...more: readonly string[]) {
  const { approvalId } = await did(['approval', 'request', id, ...as(key), ...more], around)
  return String(approvalId)
}

export const approve = (id: string, key: KeyFile, confirm: string) => [
  ...['approval', 'approve', id, '--confirm', confirm, ...as(key), '--json'],
]

export function approved(id: string, key: KeyFile, around: Surroundings, confirm: string) {
  return did(approve(id, key, confirm), around)
}
