/**
 * The texts that persons sign (docs/reference/approvals.md): what it is, then a line for each member in a fixed order,
 * its value as a JSON string, so that two statements never have one text.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { FailureBeforeSending } from '../failure.ts'
import { blank, type Hint, hint, paste } from '../hint.ts'
import { contents, mustBeOwn, othersMayRead } from '../paths.ts'
import { singleQuoted } from '../text.ts'

/** Another order, or one member more, is another version. */
export const statementMembers = {
  person: ['person', 'name', 'publicKey', 'role', 'by', 'at'],
  revocation: ['person', 'publicKey', 'by', 'at'],
  rule: ['rule', 'currency', 'from', 'approvers', 'by', 'at'],
  removal: ['rule', 'currency', 'from', 'approvers', 'by', 'at'],
  request: [
    ...(['approval', 'maker', 'subject', 'id', 'operation', 'environment', 'service', 'serviceId', 'client'] as const),
    ...(['uniqueId', 'digest', 'sum', 'payee', 'rows', 'profile', 'requestedAt', 'expiresAt'] as const),
  ],
  decision: [
    ...(['approval', 'maker', 'subject', 'id', 'operation', 'environment', 'service', 'serviceId', 'client'] as const),
    ...(['uniqueId', 'digest', 'sum', 'payee', 'rows', 'profile', 'requestedAt', 'expiresAt'] as const),
    ...(['decision', 'approver', 'because', 'at'] as const),
  ],
} as const

export type StatementKind = keyof typeof statementMembers

export type Statement<Kind extends StatementKind> = Readonly<Record<(typeof statementMembers)[Kind][number], string>>

export function signedText<Kind extends StatementKind>(kind: Kind, statement: Statement<Kind>): string {
  const values: Readonly<Record<string, string>> = statement
  const lines = statementMembers[kind].map((name) => `${name} ${JSON.stringify(values[name] ?? '')}`)
  return [`paydesk-statement/1 ${kind}`, ...lines, ''].join('\n')
}

const prefix = 'ed25519:'
const form = /^ed25519:[A-Za-z0-9_-]{43}$/

/** It signs statements only, never a text from elsewhere. */
export interface PersonKey {
  /** "ed25519:" and the public half, base64url. */
  readonly publicKey: string
  readonly sign: <Kind extends StatementKind>(kind: Kind, statement: Statement<Kind>) => string
}

/** The private half as PEM (PKCS#8), and the public line. */
export function newPersonKey(): { readonly pem: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), publicKey: lineOf(publicKey) }
}

function lineOf(key: KeyObject): string {
  return `${prefix}${key.export({ format: 'jwk' }).x ?? ''}`
}

const prime = 2n ** 255n - 19n

/**
 * The heights (y) of the points of small order (https://eprint.iacr.org/2020/1244): one signature serves for many texts
 * there.
 */
const smallOrder: ReadonlySet<bigint> = new Set([
  ...[0n, 1n, prime - 1n],
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
])

/** Written in the one way that there is, and not of small order. */
function isCanonicalPoint(bytes: Buffer): boolean {
  const height = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n)
  return height < prime && !smallOrder.has(height)
}

export function isPublicKey(text: string): boolean {
  if (!form.test(text)) return false
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url')
  // The last letter has two bits that mean nothing: a key has one spelling.
  return bytes.length === 32 && bytes.toString('base64url') === text.slice(prefix.length) && isCanonicalPoint(bytes)
}

/** Throws credentials (4): no key, or one that others may read or write. */
export function readPersonKey(path: string): PersonKey {
  mustBeOwn(path, 'the key of a person')
  if (othersMayRead(path)) {
    throw unusable(
      path,
      'can be read by others, who could then approve in your name',
      hint`Run chmod 600 ${singleQuoted(path)}, and replace the key if others may have read it.`,
    )
  }
  const file = contents(path)
  if ('why' in file) throw unusable(path, `cannot be read: ${file.why}`, another)
  const key = privateKeyIn(file.bytes)
  if (key === null) throw unusable(path, 'is not a private Ed25519 key (PEM)', another)
  return {
    publicKey: lineOf(createPublicKey(key)),
    sign: (kind, statement) => sign(null, Buffer.from(signedText(kind, statement)), key).toString('base64url'),
  }
}

const another = hint`\`${paste('team key generate', blank('<file>'))}\` makes one.`

function privateKeyIn(pem: Buffer): KeyObject | null {
  try {
    const key = createPrivateKey({ key: pem, format: 'pem' })
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}

function unusable(path: string, what: string, advice: Hint): FailureBeforeSending {
  return new FailureBeforeSending('credentials', `the key of a person ${path} ${what}`, { hints: [advice] })
}

/** Signatures that were found good: a run asks for the same ones with each commit. */
const proven = new Set<string>()
const mostProven = 1000

export function isSignedBy<Kind extends StatementKind>(
  publicKey: string,
  kind: Kind,
  statement: Statement<Kind>,
  signature: string,
): boolean {
  if (!isPublicKey(publicKey)) return false
  const text = signedText(kind, statement)
  const name = JSON.stringify([publicKey, signature, text])
  if (proven.has(name)) return true
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.slice(prefix.length) }, format: 'jwk' })
  if (!verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))) return false
  if (proven.size >= mostProven) proven.clear()
  proven.add(name)
  return true
}
