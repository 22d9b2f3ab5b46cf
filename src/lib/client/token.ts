/**
 * The access token of area A (service.md#sign-in): kept in memory and in a file, given up a margin before it ends,
 * fetched by one sign-in however many ask.
 */
import { askedPause, nextAttempt, nextPause } from '../backoff.ts'
import { tokenMargin } from '../contract/assumed.ts'
import { grantType, signIn } from '../contract/sign-in.ts'
import { about, Failure, FailureBeforeSending, type ServiceWords } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { remedyFor } from '../http/explain.ts'
import { exchange, type Line } from './exchange.ts'
import { refusalInWords } from './refusal.ts'

/** Access tokens of area A. Throws a Failure: credentials (4), or unsent (11) if the sign-in found no answer. */
export interface Tokens {
  get(deadline: number): Promise<string>
  /** After the service did not accept `rejected`; another caller's fresh one is taken over. */
  renew(rejected: string, deadline: number): Promise<string>
  /** Of a new sign-in, whatever is kept. */
  fresh(deadline: number): Promise<string>
}

export interface KeptToken {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly goodUntil: number
}

interface TokenFiles {
  read(key: string): Promise<KeptToken | null>
  write(key: string, token: string, obtainedAt: number, goodUntil: number): Promise<void>
  forget(key: string): Promise<void>
}

export class TokenSource implements Tokens {
  readonly #line: Line
  readonly #files: TokenFiles
  #kept: KeptToken | null = null
  #fetching: Promise<KeptToken> | null = null

  constructor(line: Line, files: TokenFiles) {
    this.#line = line
    this.#files = files
  }

  async get(deadline: number): Promise<string> {
    return (await this.lent(deadline)).token
  }

  /** The same with its end. */
  async lent(deadline: number): Promise<KeptToken> {
    const kept = this.#kept ?? (await this.#files.read(this.#key))
    if (kept && kept.goodUntil > this.#line.clock.now()) {
      this.#kept = kept
      this.#line.tell.hide(kept.token)
      return kept
    }
    return this.#fetch(deadline)
  }

  async renew(rejected: string, deadline: number): Promise<string> {
    return this.#kept && this.#kept.token !== rejected ? this.#kept.token : this.fresh(deadline)
  }

  async fresh(deadline: number): Promise<string> {
    return (await this.lentFresh(deadline)).token
  }

  /** The same with its end. */
  async lentFresh(deadline: number): Promise<KeptToken> {
    this.#kept = null
    await this.#files.forget(this.#key)
    return this.#fetch(deadline)
  }

  get #key(): string {
    const { name, service, clientId } = this.#line.profile
    return JSON.stringify([name, service, clientId])
  }

  #fetch(deadline: number): Promise<KeptToken> {
    this.#fetching ??= this.#signIn(deadline).finally(() => {
      this.#fetching = null
    })
    return this.#fetching
  }

  async #signIn(deadline: number): Promise<KeptToken> {
    const { profile, clock, random, signal, tell } = this.#line
    const request = {
      client_id: profile.clientId,
      client_secret: await profile.clientSecret(),
      grant_type: grantType,
    }
    for (let repeat = 0; ; repeat += 1) {
      const obtainedAt = clock.now()
      const read = await exchange(this.#line, signIn, request, null, deadline)
      if (read.kind === 'accepted') return this.#keep(read.answer.access_token, read.answer.expires_in, obtainedAt)
      if (read.kind === 'refused') throw refusedFailure(read.words)
      if (read.kind === 'turned-away' && read.by === 'token') throw refusedFailure(read.words)
      if (read.kind === 'turned-away' && read.by === 'redirect') throw redirectFailure(read.location)
      signal.throwIfAborted()
      const asked = 'retryAfter' in read ? askedPause(read.retryAfter, clock.now()) : null
      const why = 'why' in read ? read.why : 'the service is busy'
      const wait = remedyFor(why) ? null : nextPause(repeat, asked, random, clock.now(), deadline)
      if (wait === null) throw unsentFailure(why)
      tell.say(`sign-in: ${why}; ${nextAttempt(wait)}`)
      await clock.sleep(wait, signal)
    }
  }

  async #keep(token: string, expiresIn: number, obtainedAt: number): Promise<KeptToken> {
    const goodFor = expiresIn > 10 * tokenMargin ? expiresIn - tokenMargin : expiresIn * 0.9
    const goodUntil = obtainedAt + goodFor * 1000
    const kept = { token, goodUntil }
    this.#kept = kept
    this.#line.tell.hide(token)
    await this.#files.write(this.#key, token, obtainedAt, goodUntil)
    return kept
  }
}

function refusedFailure(words: ServiceWords): Failure {
  return new Failure('credentials', `the sign-in was refused: ${refusalInWords(signIn, words)}`, {
    ...about(signIn),
    service: words,
    hints: [
      hint`Check client id and secret of the profile: \`${paste('profile show')}\`, \`${paste('profile check')}\`.`,
    ],
  })
}

function unsentFailure(why: string): Failure {
  const mended = remedyFor(why)
  const advice = mended ?? hint`Check the network and the base URL of the profile, then run it again.`
  const facts = { ...about(signIn), hints: [advice], ...(mended && { retry: 'after-fix' as const }) }
  const words = (nothing: string) => `could not sign in, so ${nothing}: ${why}`
  return new FailureBeforeSending('unsent', why, facts, words)
}

/** Without query and user: either may be a credential. */
function placeOf(location: string): string {
  const [path = ''] = location.split(/[?#]/)
  if (!URL.canParse(path)) return path
  const { protocol, host, pathname } = new URL(path)
  return `${protocol}//${host}${pathname}`
}

/** A redirect is never followed with credentials in hand. */
export function redirectFailure(location: string | null): Failure {
  return new Failure(
    'credentials',
    `the service redirects to ${location === null ? 'another place' : placeOf(location)}; paydesk does not follow`,
    {
      hints: [hint`Check the base URL of the profile: it must be the final address.`],
    },
  )
}
