/**
 * The callbacks of this person, the keys that open them, the secret of their signatures, and the addresses that they are
 * sent on to.
 */
import { existsSync } from 'node:fs'
import { Args, Flags } from '@oclif/core'
import type { CallbackStore, HeardCallback } from '../../callback/callbacks.ts'
import { signer } from '../../callback/open.ts'
import { usualSettings } from '../../client/exchange.ts'
import type { NamedKey } from '../../envelope/envelope.ts'
import { Failure } from '../../failure.ts'
import { freshRelay, type Relay } from '../../http/client.ts'
import { contents, mustBeOwn, warningsAbout } from '../../paths.ts'
import { isLoopback, proxiesFor } from '../../profile/address.ts'
import { secretOf } from '../../profile/secret.ts'
import { settings } from '../../profile/settings.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { chosenProfile, isKeyGiven, openingKeys } from '../keys.ts'

interface SignatureSecret {
  readonly webhook: ReturnType<typeof signer>
  readonly path: string
}

/** `hide` hears the secret before anything is done with it. Throws Failure('credentials'). */
function secretIn(path: string, ofProfile: boolean, hide: (secret: string) => void) {
  const by = ofProfile ? `--${settings.callbackSecretFile.flag}` : '--secret-file'
  mustBeOwn(path, 'the file of the secret')
  const file = contents(path)
  if ('why' in file) throw new Failure('credentials', `${by} ${path} cannot be read: ${file.why}`)
  const read = secretOf(file.bytes)
  if (!read.ok) throw new Failure('credentials', `${by} ${path} ${read.complaint}`)
  hide(read.secret)
  return { webhook: signer(read.secret, `${by} ${path}`), path, warnings: warningsAbout(path) }
}

/** An address to send callbacks to. Throws Failure('usage'). */
export function readTarget({ warnings }: Invocation, flag: string, typed: string): string {
  const url = /^https?:\/\/[^\s\\]+$/i.test(typed) && URL.canParse(typed) ? new URL(typed) : null
  if (!url) throw new Failure('usage', `--${flag} takes an address like http://127.0.0.1:3000/callback`)
  if (url.username || url.password || url.hash) {
    throw new Failure('usage', `--${flag} must hold no user name, password or fragment`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    warnings.add(`${url.host} uses plain http: card tokens can be read on the way`)
  return url.href
}

/** The way to an address. A target on this machine needs no proxy. */
export function relayTo({ edge: { env }, warnings }: Invocation, target: string): Relay {
  const here = isLoopback(new URL(target).hostname)
  if (target.startsWith('https:') && env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    warnings.add('CERTIFICATES ARE NOT CHECKED: NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pose as the target')
  }
  return freshRelay(here ? {} : { proxies: proxiesFor(target, env) })
}

export function relayLimits(flags: SharedFlags) {
  return {
    connectTimeout: flags['connect-timeout'] ?? usualSettings.connectTimeout,
    answerTimeout: flags['answer-timeout'] ?? usualSettings.answerTimeout,
  }
}

interface CallbackFlags extends SharedFlags {
  readonly 'private-key'?: readonly string[] | undefined
  readonly 'secret-file'?: string | undefined
}

const ofTheList = 'a callback id of `callback list`'

export const ownKeysFlag = Flags.string({
  description: 'your private key, in any format; can be repeated',
  multiple: true,
})

export const webhookSecretFlag = Flags.string({
  description: 'secret that signatures are verified with (Standard Webhooks)',
  helpValue: '<file>',
})

export const storedCallback = Args.string({ ignoreStdin: true, description: ofTheList })

/** A stored callback, where a person can be asked for it. */
export async function askForCallback(invocation: Invocation): Promise<string | undefined> {
  if (!invocation.canAsk) return undefined
  const { askForArgument } = await import('../usage/missing.ts')
  return askForArgument(invocation, 'id', ofTheList)
}

/** The callbacks that were received here, opened once. */
export const callbacksOf = (invocation: Invocation): Promise<CallbackStore> => invocation.once(openCallbacks)

async function openCallbacks({ places, edge, naming, closeAtEnd }: Invocation): Promise<CallbackStore> {
  const { CallbackStore } = await import('../../callback/callbacks.ts')
  const callbacks = await CallbackStore.open(places.callbacks, edge.clock, edge.random, naming)
  closeAtEnd(() => callbacks.close())
  return callbacks
}

/** What callbacks say that were received here; nothing where none ever was. */
export async function heardCallbacks(
  invocation: Invocation,
  filter: Parameters<CallbackStore['heard']>[0],
): Promise<readonly HeardCallback[]> {
  return existsSync(invocation.places.callbacks) ? (await callbacksOf(invocation)).heard(filter) : []
}

/** The name of the profile that was named or is the default; null where there is none. */
export async function callbackProfile(invocation: Invocation, flags: SharedFlags): Promise<string | null> {
  const choice = await chosenProfile(invocation, flags)
  return choice && (choice.kind === 'stored' ? choice.profile.name : choice.name)
}

/** The keys to open with. Where no profile was named, there may be none: `lacking` gets the reason. */
export async function callbackKeys(
  invocation: Invocation,
  flags: CallbackFlags,
  lacking: (why: string) => void,
): Promise<readonly NamedKey[]> {
  const files = flags['private-key'] ?? []
  const given = isKeyGiven(invocation, files)
  try {
    if (!given && (await chosenProfile(invocation, flags)) === null) {
      lacking('no profile was named, and there is no default')
      return []
    }
    const warn = (line: string) => invocation.warnings.add(line)
    return (await openingKeys(invocation, flags, null, files, warn)).keys
  } catch (error) {
    if (given || !(error instanceof Failure) || error.kind !== 'credentials') throw error
    // A name that is none is a mistake, with keys or without.
    await chosenProfile(invocation, flags)
    lacking(error.message)
    return []
  }
}

/** The secret of signatures; null where none is set. Throws Failure('credentials'). */
export async function signatureSecret(invocation: Invocation, flags: CallbackFlags): Promise<SignatureSecret | null> {
  const given = flags['secret-file']
  const choice = given === undefined ? await chosenProfile(invocation, flags) : null
  const ofProfile = choice?.kind === 'stored' ? choice.profile.callbackSecretFile : undefined
  const path = given ?? ofProfile
  if (path === undefined) return null
  const { redactor } = invocation.output
  const { warnings, ...secret } = secretIn(path, given === undefined, (hidden) => redactor.hide(hidden))
  for (const warning of warnings) invocation.warnings.add(warning)
  return secret
}
