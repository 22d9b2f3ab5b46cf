/** What every command that writes has in common: the request from flags, file and questions; consent; the dry run. */
import { Flags } from '@oclif/core'
import { fromMinorUnits, minorUnits } from './contract/decimal.ts'
import { fieldsOf } from './contract/field.ts'
import { groupedIban, hasGeorgianPattern } from './contract/iban.ts'
import type { WriteOperation } from './contract/operation.ts'
import { writePayload } from './contract/payload.ts'
import { tidy, validate } from './contract/validate.ts'
import { idOfKey, sameId } from './desk/draft.ts'
import { encode } from './desk/exchange.ts'
import { masked, secretsIn } from './desk/mask.ts'
import { DeskCommand } from './desk-command.ts'
import { Failure } from './failure.ts'
import type { Profile } from './profile/profile.ts'
import { type Asker, askForMissing, terminalAsker } from './terminal/ask.ts'
import { clean } from './terminal/clean.ts'
import { type Consent, confirmed } from './terminal/confirm.ts'
import type { DryRun } from './terminal/dry-run-view.ts'
import { givenFields, misusedFlags, overFile, refuse } from './terminal/fields.ts'
import { readRequestFile } from './terminal/request-file.ts'
import { curlOf } from './wire/curl.ts'
import { target } from './wire/message.ts'

/**
 * Consent, and the request without sending it: the flags of every write. They come first, and of them the one with a letter:
 * help would draw another one four columns to the left of the rest.
 */
export const consentFlags = {
  yes: Flags.boolean({ char: 'y', description: 'do not ask; not enough on live profiles', helpGroup: 'WRITE' }),
  'dry-run': Flags.boolean({ description: 'print exactly what would be sent; opens no socket', helpGroup: 'WRITE' }),
  curl: Flags.boolean({
    description: 'print the request as a curl command; what runs it runs outside the journal',
    helpGroup: 'WRITE',
  }),
  confirm: Flags.string({
    description: 'consent without a question, on live profiles too',
    helpValue: '"GEL 12.50"',
    helpGroup: 'WRITE',
  }),
}

/** Fields from a file: the flags of writes with more than an id. */
export const fileFlags = {
  file: Flags.string({
    description: 'fields of the request from a JSON or YAML file, - for stdin; flags win over it',
    helpValue: '<f|->',
    helpGroup: 'WRITE',
  }),
}

/** A business key: the flag of writes that make something new. */
export const keyFlags = {
  key: Flags.string({
    description: 'your own key of this write: the same key is the same write, on every machine',
    helpValue: 'payroll-2026-11:emp-17',
    helpGroup: 'WRITE',
  }),
}

/** The flag of writes that a second one of the same sum deserves a look before. */
export const guardFlags = {
  'allow-duplicate': Flags.string({
    description: 'send it although this one of the last 24 hours looks the same',
    helpValue: '<journalId>',
    helpGroup: 'WRITE',
  }),
}

export const writeFlags = { ...consentFlags, ...fileFlags, ...keyFlags, ...guardFlags }

export interface WriteFlags extends Consent {
  readonly file?: string | undefined
  readonly key?: string | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly curl?: boolean | undefined
}

const outsideTheJournal =
  'curl runs outside the journal: paydesk will not know of the payment, and repeats nothing safely; prefer the command itself'

const moneyOf = { sandbox: 'sandbox: no real money', test: 'test', live: 'LIVE: REAL MONEY' } as const

type Request = Readonly<Record<string, unknown>>

export abstract class WriteCommand<Result> extends DeskCommand<Result> {
  protected override get acts(): boolean {
    return true
  }

  /**
   * The checked request: the file's fields, the flags over them, what the command `knows` over both, and questions for the
   * rest. Throws a Failure: usage (2), naming every violation by its flag.
   */
  protected async request(
    operation: WriteOperation,
    flags: WriteFlags,
    profile: Profile,
    knows: Request = {},
  ): Promise<Request> {
    const file = await this.#fromFile(operation, flags)
    const given = tidy(operation, {
      ...overFile(operation, file, givenFields(operation, flags as Request)),
      ...knows,
    })
    const typed = filled(operation, this.#identified(operation, given, flags, profile), profile)
    const misused = misusedFlags(operation, flags as Request)
    // Nobody is asked anything for a command line that is wrong already.
    const asks = this.canAsk && flags.file !== '-' && misused.length === 0
    const complete = asks ? tidy(operation, await this.ask(terminalAsker(this.edge), operation, typed, profile)) : typed
    const { permits, orderType } = profile
    const now = (await this.#firstSent(operation, complete, flags)) ?? this.edge.clock.now()
    const checked = validate(operation, complete, { permits, orderType, now })
    if (!checked.ok) throw refuse(operation, [...misused, ...checked.violations])
    if (misused.length > 0) throw refuse(operation, misused)
    const request = checked.request as Request
    for (const secret of secretsIn(operation, request)) this.output.redactor.hide(secret)
    return request
  }

  /**
   * When a write that the journal knows by its id was first sent: it was right then, and a repeat of it gets its receipt or is
   * settled, whatever has expired since.
   */
  async #firstSent(operation: WriteOperation, request: Request, flags: WriteFlags): Promise<number | null> {
    const id = operation.idField === null ? undefined : request[operation.idField]
    if (typeof id !== 'string' || flags['dry-run'] || flags.curl) return null
    const journal = await this.journal()
    const [known] = await journal.list({ named: sameId(id), operations: [operation.name], limit: 1 })
    return known && known.state !== 'refused' && known.state !== 'unsent' ? Date.parse(known.openedAt) : null
  }

  /** Asks for what is missing, at a terminal. */
  protected ask(asker: Asker, operation: WriteOperation, typed: Request, _profile: Profile): Promise<Request> {
    return askForMissing(asker, operation, typed)
  }

  /** What is agreed to besides who gets how much, in lines for a person. */
  protected details(_request: Request): readonly string[] {
    return []
  }

  /** What is unusual about a request that keeps every rule. */
  protected remarks(operation: WriteOperation, request: Request): readonly string[] {
    return operation.remarks?.(request) ?? []
  }

  /**
   * Asks for the consent that the profile demands. `currency` is what is known of it where the request names none. Without a
   * sum the phrase is the id.
   */
  protected consent(
    operation: WriteOperation,
    request: Request,
    flags: Consent,
    profile: Profile,
    currency: string | null = null,
  ): Promise<void> {
    const asker = this.canAsk && flags.confirm === undefined ? terminalAsker(this.edge) : null
    const what = consentTo(operation, request, profile, currency, this.details(request))
    return confirmed({ live: profile.environment === 'live', ...what }, flags, asker)
  }

  protected dryRun(operation: WriteOperation, request: Request, profile: Profile, asCurl: boolean): DryRun {
    const http = encode(profile, operation, request, '[access token]')
    return {
      dryRun: true,
      method: http.method,
      url: `${profile.baseUrl}${target(http)}`,
      headers: http.headers,
      body: http.body,
      payload: profile.seal ? writePayload(operation.request, masked(operation, request)) : null,
      curl: asCurl ? curlOf(profile.baseUrl, http) : null,
      profile: profile.name,
      environment: profile.environment,
      warnings: asCurl ? [outsideTheJournal] : [],
    }
  }

  async #fromFile(operation: WriteOperation, { file }: WriteFlags): Promise<Request> {
    if (file === undefined) return {}
    // A payload without known fields is passed through as it is.
    const scalars = fieldsOf(operation.request).length > 0 ? 'text' : 'kinds'
    return readRequestFile(file, this.edge.stdin, this.signal, scalars)
  }

  #identified(operation: WriteOperation, typed: Request, flags: WriteFlags, profile: Profile): Request {
    const { idField, name } = operation
    const made = fieldsOf(operation.request).some((field) => field.name === idField && field.made)
    if (flags.key === undefined)
      return made && idField !== null ? { [idField]: this.edge.random.uuid(), ...typed } : typed
    requireKey(flags.key)
    // Without an id in the request the journal's own is derived from the key.
    if (idField === null) return typed
    if (typed[idField] !== undefined) {
      throw new Failure('usage', '--key and an id of your own exclude each other: the key stands for the id')
    }
    return { ...typed, [idField]: idOfKey(profile, name, flags.key) }
  }
}

/** Throws Failure('usage') for a key that somebody could mistype unseen. */
export function requireKey(key: string): void {
  if (/^[^\s\p{Cc}](?:[^\p{Cc}]{0,198}[^\s\p{Cc}])?$/u.test(key)) return
  throw new Failure('usage', '--key must be 1 to 200 characters, without blanks at its ends and without line breaks', {
    hints: ['A stray blank would make it another key, and another payment.'],
  })
}

/** The fields that the profile knows: identity, and words that are always the same. */
function filled(operation: WriteOperation, typed: Request, { clientId }: Profile): Request {
  const known = fieldsOf(operation.request).flatMap(({ name, filled }) => (filled ? [[name, filled(clientId)]] : []))
  return { ...Object.fromEntries(known), ...typed }
}

/** What is agreed to, in lines for a person, and the phrase of --confirm. */
function consentTo(
  operation: WriteOperation,
  request: Request,
  profile: Profile,
  known: string | null,
  details: readonly string[],
) {
  const { amount, currency, payee, price } = operation.moves(request)
  const moved =
    amount === null ? null : [currency ?? known, fromMinorUnits(minorUnits(amount) ?? 0n)].filter(Boolean).join(' ')
  const sum = price ?? moved
  const as = `as  ${profile.name} (${moneyOf[profile.environment]})`
  const id = operation.idField === null ? operation.name : String(request[operation.idField])
  const lines =
    operation.area === 'A'
      ? [`Pay ${sum}`, `to  ${payeeInWords(payee, request)}`, `for ${request.description ?? ''}`, as]
      : [`${operation.summary}${sum === null ? '' : `: ${sum}`}`, `on  ${payee}`, ...details, as]
  return { lines: lines.map(clean), phrase: sum ?? id }
}

function payeeInWords(payee: string, { beneficiaryName }: Request): string {
  const name = beneficiaryName === undefined ? '' : `${beneficiaryName}, `
  return name + (hasGeorgianPattern(payee) ? groupedIban(payee) : payee)
}
