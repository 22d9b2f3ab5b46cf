/** What every command that writes has in common: the request from flags, file and questions; consent; the dry run. */
import { Flags } from '@oclif/core'
import { fieldsOf } from '../contract/core/field.ts'
import { writePayload } from '../contract/core/payload.ts'
import { tidy, validate } from '../contract/core/validate.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { normalId, scopeOf } from '../desk/draft.ts'
import { idForKey } from '../desk/key-id.ts'
import { encode } from '../desk/line/exchange.ts'
import { maskedRequest, requestSecrets } from '../desk/receipt/mask.ts'
import { told } from '../desk/recover/in-play.ts'
import { Failure } from '../failure.ts'
import type { Intent } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { Profile } from '../profile/profile.ts'
import { curlOf } from '../wire/curl.ts'
import { target } from '../wire/message.ts'
import { DeskCommand } from './desk-command.ts'
import { givenFields, misusedFlags, overFile, refuse } from './flags/fields.ts'
import { readRequestFile } from './input/request-file.ts'
import { type Asker, askForMissing, terminalAsker } from './prompts/ask.ts'
import { type Consent, confirmed } from './prompts/confirm.ts'
import { consentTo } from './prompts/consent-lines.ts'
import type { DryRun } from './views/dry-run.ts'

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

type Request = Readonly<Record<string, unknown>>

export abstract class WriteCommand<Result> extends DeskCommand<Result> {
  protected override get acts(): boolean {
    return true
  }

  /** What an earlier run with the same --key may have moved. */
  protected override async inQuestion(journal: Journal): Promise<Intent | null> {
    const key = this.flag('--key')
    if (key === undefined) return null
    const profile = this.flag('--profile') ?? this.flag('-p') ?? this.edge.env.PAYDESK_PROFILE
    const states = ['unknown', 'accepted', 'exists']
    const named = await journal.list({ named: key, states, ...(profile === undefined ? {} : { profile }) })
    const own = named.filter(({ businessKey, operation }) => {
      return businessKey === key && (!this.id || operation === this.id.replace(':', '.'))
    })
    return own.find(({ state }) => state === 'unknown') ?? own[0] ?? null
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
    const typed = filled(operation, await this.#identified(operation, given, flags, profile), profile)
    const misused = misusedFlags(operation, flags as Request)
    // Nobody is asked anything for a command line that is wrong already.
    const asks = this.canAsk && flags.file !== '-' && misused.length === 0
    const complete = asks
      ? tidy(operation, await this.ask(terminalAsker(this.edge, this.signal), operation, typed, profile))
      : typed
    const { permits, orderType } = profile
    const now = (await this.#firstSent(operation, complete, flags)) ?? this.edge.clock.now()
    const checked = validate(operation, complete, { permits, orderType, now })
    if (!checked.ok) throw refuse(operation, [...misused, ...checked.violations])
    if (misused.length > 0) throw refuse(operation, misused)
    const request = checked.request as Request
    for (const secret of requestSecrets(operation, request)) this.output.redactor.hide(secret)
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
    const [known] = await journal.list({ named: normalId(id), operations: [operation], limit: 1 })
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
    return operation.remarks(request)
  }

  /**
   * Asks for the consent that the profile demands. `currency` is what is known of it where the request names none. Without a
   * sum the phrase is the id.
   */
  protected async consent(
    operation: WriteOperation,
    request: Request,
    flags: Consent & { readonly key?: string | undefined },
    profile: Profile,
    currency: string | null = null,
  ): Promise<void> {
    const asker = this.canAsk && flags.confirm === undefined ? terminalAsker(this.edge, this.signal) : null
    const what = consentTo(operation, request, profile, currency, this.details(request))
    try {
      await confirmed({ live: profile.environment === 'live', ...what }, flags, asker)
    } catch (error) {
      const open = await this.#openIntent(operation, request, profile, flags.key)
      throw open ? told(error, open, this.signal) : error
    }
  }

  /** What an earlier run of the same write left open. */
  async #openIntent(operation: WriteOperation, request: Request, profile: Profile, key: string | undefined) {
    const { idField } = operation
    const journal = await this.journal()
    const ownId = key === undefined ? null : await idForKey({ journal, profile }, operation, key)
    const id = idField === null ? ownId : normalId(String(request[idField]))
    if (id === null) return null
    const filter = { scope: scopeOf(profile), named: id, operations: [operation], states: ['unknown'], limit: 1 }
    const [open] = await journal.list(filter)
    return open ?? null
  }

  protected dryRun(operation: WriteOperation, request: Request, profile: Profile, asCurl: boolean): DryRun {
    const http = encode(profile, operation, request, '[access token]')
    return {
      dryRun: true,
      method: http.method,
      url: `${profile.baseUrl}${target(http)}`,
      headers: http.headers,
      body: http.body,
      payload: profile.seal ? writePayload(operation.request, maskedRequest(operation, request)) : null,
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

  async #identified(operation: WriteOperation, typed: Request, flags: WriteFlags, profile: Profile): Promise<Request> {
    const { idField } = operation
    const made = fieldsOf(operation.request).some((field) => field.name === idField && field.made)
    if (flags.key === undefined)
      return made && idField !== null ? { [idField]: this.edge.random.uuid(), ...typed } : typed
    requireBusinessKey(flags.key)
    // Without an id in the request the journal's own is derived from the key.
    if (idField === null) return typed
    if (typed[idField] !== undefined) {
      throw new Failure('usage', '--key and an id of your own exclude each other: the key stands for the id')
    }
    return { ...typed, [idField]: await idForKey({ journal: await this.journal(), profile }, operation, flags.key) }
  }
}

/** Throws Failure('usage') for a key that somebody could mistype unseen. */
export function requireBusinessKey(key: string): void {
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
