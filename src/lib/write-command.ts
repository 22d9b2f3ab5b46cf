/** What every command that writes has in common: the request from flags, file and questions; consent; the dry run. */
import { Flags } from '@oclif/core'
import { fromMinorUnits, minorUnits } from './contract/decimal.ts'
import { groupedIban, hasGeorgianPattern } from './contract/iban.ts'
import type { WriteOperation } from './contract/operation.ts'
import { tidy, validate } from './contract/validate.ts'
import { idOfKey } from './desk/draft.ts'
import { DeskCommand } from './desk-command.ts'
import { Failure } from './failure.ts'
import type { Profile } from './profile/profile.ts'
import { askForMissing, terminalAsker } from './terminal/ask.ts'
import { clean } from './terminal/clean.ts'
import { type Consent, confirmed } from './terminal/confirm.ts'
import { givenFields, refuse } from './terminal/fields.ts'
import { readRequestFile } from './terminal/request-file.ts'
import { writeRequest } from './wire/bearer.ts'
import { curlOf } from './wire/curl.ts'
import { target } from './wire/message.ts'

/** The flags of every write. */
export const writeFlags = {
  file: Flags.string({
    description: 'fields of the request from a JSON or YAML file, - for stdin; flags win over it',
    helpValue: '<f|->',
    helpGroup: 'WRITE',
  }),
  key: Flags.string({
    description: 'your own key of this payment: the same key is the same payment, on every machine',
    helpValue: 'payroll-2026-11:emp-17',
    helpGroup: 'WRITE',
  }),
  'dry-run': Flags.boolean({ description: 'print exactly what would be sent; opens no socket', helpGroup: 'WRITE' }),
  curl: Flags.boolean({
    description: 'print the request as a curl command; what runs it runs outside the journal',
    helpGroup: 'WRITE',
  }),
  yes: Flags.boolean({ char: 'y', description: 'do not ask; not enough on live profiles', helpGroup: 'WRITE' }),
  confirm: Flags.string({
    description: 'consent without a question, on live profiles too',
    helpValue: '"GEL 12.50"',
    helpGroup: 'WRITE',
  }),
  'allow-duplicate': Flags.string({
    description: 'pay although this payment of the last 24 hours looks the same',
    helpValue: '<journalId>',
    helpGroup: 'WRITE',
  }),
}

export interface WriteFlags extends Consent {
  readonly file?: string | undefined
  readonly key?: string | undefined
}

/** What would leave the machine, byte for byte. */
export interface DryRun {
  readonly dryRun: true
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact text of the body. */
  readonly body: string | null
  /** The same as a curl command, where --curl asked for it. */
  readonly curl: string | null
  readonly profile: string
  readonly environment: string
  readonly warnings: readonly string[]
}

const outsideTheJournal =
  'curl runs outside the journal: paydesk will not know of the payment, and repeats nothing safely; prefer the command itself'

const moneyOf = { sandbox: 'sandbox: no real money', test: 'test', live: 'LIVE: REAL MONEY' } as const

type Request = Readonly<Record<string, unknown>>

export abstract class WriteCommand<Result> extends DeskCommand<Result> {
  protected override get acts(): boolean {
    return true
  }

  /** The checked request. Throws a Failure: usage (2), naming every violation by its flag. */
  protected async request(operation: WriteOperation, flags: WriteFlags, profile: Profile): Promise<Request> {
    const file = flags.file === undefined ? {} : await readRequestFile(flags.file, this.edge.stdin, this.signal)
    const typed = tidy(operation, { ...file, ...givenFields(operation, flags as Request) })
    const identified = this.#identified(operation, typed, flags, profile)
    const complete =
      this.canAsk && flags.file !== '-'
        ? tidy(operation, await askForMissing(terminalAsker(this.edge), operation, identified))
        : identified
    const checked = validate(operation, complete, profile.permits)
    if (!checked.ok) throw refuse(operation, checked.violations)
    return checked.request as Request
  }

  /** Asks for the consent that the profile demands. */
  protected consent(operation: WriteOperation, request: Request, flags: Consent, profile: Profile): Promise<void> {
    const { amount: typed, currency, payee } = operation.moves(request)
    const amount = fromMinorUnits(minorUnits(typed) ?? 0n)
    const name = request.beneficiaryName === undefined ? '' : `${request.beneficiaryName}, `
    const as = `${profile.name} (${moneyOf[profile.environment]})`
    const to = hasGeorgianPattern(payee) ? groupedIban(payee) : payee
    const lines = [`Pay ${currency} ${amount}`, `to  ${name}${to}`, `for ${request.description ?? ''}`, `as  ${as}`]
    const asker = this.canAsk && flags.confirm === undefined ? terminalAsker(this.edge) : null
    const phrase = `${currency} ${amount}`
    return confirmed({ live: profile.environment === 'live', lines: lines.map(clean), phrase }, flags, asker)
  }

  protected dryRun(operation: WriteOperation, request: Request, profile: Profile, asCurl: boolean): DryRun {
    const http = writeRequest(operation, request, '[access token]')
    return {
      dryRun: true,
      method: http.method,
      url: `${profile.baseUrl}${target(http)}`,
      headers: http.headers,
      body: http.body,
      curl: asCurl ? curlOf(profile.baseUrl, http) : null,
      profile: profile.name,
      environment: profile.environment,
      warnings: asCurl ? [outsideTheJournal] : [],
    }
  }

  #identified(operation: WriteOperation, typed: Request, flags: WriteFlags, profile: Profile): Request {
    const { idField, name } = operation
    if (flags.key === undefined) return { [idField]: this.edge.random.uuid(), ...typed }
    if (!/^[^\s\p{Cc}](?:[^\p{Cc}]{0,198}[^\s\p{Cc}])?$/u.test(flags.key)) {
      throw new Failure(
        'usage',
        '--key must be 1 to 200 characters, without blanks at its ends and without line breaks',
        {
          hints: ['A stray blank would make it another key, and another payment.'],
        },
      )
    }
    if (typed[idField] !== undefined) {
      throw new Failure('usage', '--key and an id of your own exclude each other: the key stands for the id')
    }
    return { ...typed, [idField]: idOfKey(profile, name, flags.key) }
  }
}
