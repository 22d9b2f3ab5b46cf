/** The flags of the commands that write. */
import { Flags, type Interfaces } from '@oclif/core'
import { businessKeyInWords, isIdempotencyKey } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'

/**
 * Consent, and the request without sending it: the flags of every write. They come first, and of them the one with a letter:
 * help would draw another one four columns to the left of the rest.
 */
export const consentFlags = {
  yes: Flags.boolean({ char: 'y', description: 'do not ask; not enough on live profiles', helpGroup: 'WRITE' }),
  'dry-run': Flags.boolean({
    description: 'show what would be sent, or refuse it as a real run would; sends and writes nothing',
    helpGroup: 'WRITE',
  }),
  curl: Flags.boolean({
    description: 'print the request as a curl command; the journal will not record what that curl command does',
    helpGroup: 'WRITE',
  }),
  confirm: Flags.string({
    description: 'confirm without being asked, on live profiles too',
    helpValue: '"GEL 12.50"',
    helpGroup: 'WRITE',
  }),
}

export const fileFlags = {
  file: Flags.string({
    description: 'read fields from a JSON or YAML file, - for stdin; flags override it',
    helpValue: '<f|->',
    helpGroup: 'WRITE',
  }),
}

export const keyFlags = {
  key: Flags.string({
    description: 'idempotency key: the same key is the same payment, on every machine',
    helpValue: 'payroll-2026-11:emp-17',
    helpGroup: 'WRITE',
  }),
}

export const localCheckFlags = {
  'no-local-check': Flags.boolean({
    description: 'send it without comparing amount and time with the journal',
    helpGroup: 'WRITE',
  }),
}

const guardFlags = {
  'allow-duplicate': Flags.string({
    description: 'send it although this payment of the last 24 hours looks the same',
    helpValue: '<journalId>',
    helpGroup: 'WRITE',
  }),
}

export const writeFlags = { ...consentFlags, ...fileFlags, ...keyFlags, ...guardFlags }

/** `payee`: a listed one, which gives fields. */
export type WriteFlags = Partial<Interfaces.InferredFlags<typeof writeFlags>> & { readonly payee?: string | undefined }

export function wantsDryRun(flags: WriteFlags): boolean {
  return Boolean(flags['dry-run'] || flags.curl)
}

/** Throws Failure('usage') for a key that could be mistyped unseen. */
export function requireIdempotencyKey(key: string): void {
  if (isIdempotencyKey(key)) return
  throw new Failure('usage', `--key must be ${businessKeyInWords}`, {
    hints: [hint`Invisible characters would make it another key, and so another payment.`],
  })
}
