/**
 * Opens the desk of a command: its profile, a line to the service, and the journal. Everything heavy is loaded when it is needed.
 */
import { type Line, type LineSettings, usualSettings } from '../../client/exchange.ts'
import { type KeptToken, TokenSource } from '../../client/token.ts'
import type { Desk } from '../../desk/desk.ts'
import type { Transport } from '../../http/client.ts'
import { isBuiltIn } from '../../profile/built-in.ts'
import type { Part } from '../../profile/parts.ts'
import type { Profile } from '../../profile/profile.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { restTeller, tellingTransport } from '../output/progress-line.ts'
import { journalOf } from './journal.ts'
import { builtInProfile, profileOf } from './profile.ts'

/** A desk as the profile of the flags. */
export async function openDesk(invocation: Invocation, flags: SharedFlags, part: Part): Promise<Desk> {
  return openDeskAs(invocation, await profileOf(invocation, flags, part), flags)
}

/**
 * The same as a profile that is known already. Starts the sandbox, if it is the sandbox and does not run yet. `own`: parts
 * that take the place of those of the command, and the number of connections that are kept for many requests at once.
 */
export async function openDeskAs(
  invocation: Invocation,
  profile: Profile,
  flags: SharedFlags,
  { connections = 0, ...own }: Partial<Pick<Desk, 'journal' | 'signal' | 'tell'>> & { connections?: number } = {},
): Promise<Desk> {
  const line = { ...(await lineOf(invocation, profile, flags, connections)), ...own }
  const tokens = await tokensOf(invocation, line)
  return { ...line, tokens, journal: own.journal ?? (await journalOf(invocation)) }
}

/** The access token of the profile for payouts; `fresh`: of a new sign-in. No journal is opened for it. */
export async function lendToken(invocation: Invocation, flags: SharedFlags, fresh: boolean): Promise<KeptToken> {
  const line = await lineOf(invocation, await profileOf(invocation, flags, 'payouts'), flags, 0)
  const deadline = line.clock.now() + line.settings.timeout
  const tokens = await tokensOf(invocation, line)
  return fresh ? tokens.lentFresh(deadline) : tokens.lent(deadline)
}

async function tokensOf({ places }: Invocation, line: Line): Promise<TokenSource> {
  const { tokenFiles } = await import('../../profile/token-file.ts')
  return new TokenSource(line, tokenFiles(places.tokens, line.clock))
}

async function lineOf(
  invocation: Invocation,
  named: Profile,
  flags: SharedFlags,
  connections: number,
): Promise<Line & Pick<Desk, 'profile'>> {
  const { name, part } = named
  const profile = isBuiltIn(name) ? await builtInProfile(invocation, name, part, 'attach') : named
  const { edge, naming, signal } = invocation
  const { clock, random } = edge
  const settings = settingsOf(flags)
  const record = flags.har === undefined ? null : (await import('./archive.ts')).archiveOf(invocation)
  const transport = await transportOf(invocation, profile, settings, connections, flags)
  return {
    profile,
    transport,
    clock,
    random,
    settings,
    signal,
    naming: (other) => naming(other ?? name),
    tell: tellerOf(invocation, flags),
    ...(record && { record }),
  }
}

async function transportOf(
  invocation: Invocation,
  profile: Profile,
  { connectTimeout }: LineSettings,
  connections: number,
  { trace }: SharedFlags,
): Promise<Transport> {
  const { freshTransport, pooledTransport } = await import('../../http/client.ts')
  if (connections > 0) {
    const { transport, close } = pooledTransport(profile.transport, connectTimeout)
    invocation.closeAtEnd(close)
    return transport
  }
  const transport = freshTransport(profile.transport)
  const isTold = invocation.edge.stderr.isTTY && invocation.output.remarks && !trace
  return isTold ? tellingTransport(invocation, transport) : transport
}

function tellerOf(invocation: Invocation, { trace }: SharedFlags): Line['tell'] {
  const { output } = invocation
  return {
    trace: (text) => {
      const lines = trace ? text() : ''
      if (lines !== '') output.trace(lines)
    },
    say: (text, about) => output.say(text, about),
    rest: restTeller(invocation),
    hide: (secret) => output.redactor.hide(secret),
    redact: (value) => output.redactor.withoutSecrets(value),
  }
}

function settingsOf(flags: SharedFlags): LineSettings {
  return {
    timeout: flags.timeout ?? usualSettings.timeout,
    connectTimeout: flags['connect-timeout'] ?? usualSettings.connectTimeout,
    answerTimeout: flags['answer-timeout'] ?? usualSettings.answerTimeout,
  }
}
