/** The client secret as `profile add` takes it: from a file, a variable or stdin, and what is kept of it. */
import { resolve } from 'node:path'
import { contents, mustBeOwn, othersMayRead } from '../../readable-file.ts'
import { type FlagComplaint, type GivenSettings, secretFlags } from '../settings/given.ts'
import { environmentName, type SecretSource } from '../settings/stored.ts'
import { type Environment, secretOf } from './secret.ts'

export interface GivenSecret {
  readonly source: SecretSource | null
  /** The secret that must be in the keyring before the profile may say so. */
  readonly forKeyring: string | null
  readonly complaints: readonly FlagComplaint[]
  readonly warnings: readonly string[]
}

type Stdin = AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }

const nothing: GivenSecret = { source: null, forKeyring: null, complaints: [], warnings: [] }

/** More than any secret; a wrong pipe shall not fill the memory. */
const longest = 64 * 1024

function wrong(flag: string, message: string): GivenSecret {
  return { ...nothing, complaints: [{ flag, message }] }
}

function taken(secret: string, otherwise: SecretSource, inConfig: boolean, warnings: readonly string[]): GivenSecret {
  return {
    source: inConfig ? { from: 'config', value: secret } : otherwise,
    forKeyring: !inConfig && otherwise.from === 'keyring' ? secret : null,
    complaints: [],
    warnings,
  }
}

function fromFile(typed: string, inConfig: boolean): GivenSecret {
  const flag = 'client-secret-file'
  if (typed === '') return wrong(flag, 'must not be empty')
  const path = resolve(typed)
  const file = contents(path)
  if ('why' in file) return wrong(flag, `${path} cannot be read: ${file.why}`)
  mustBeOwn(path, 'the file of the client secret')
  const text = secretOf(file.bytes)
  if (!text.ok) return wrong(flag, `${path} ${text.complaint}`)
  const open = othersMayRead(path) ? [`others may read ${path}: chmod 600 keeps it to yourself`] : []
  return taken(text.secret, { from: 'file', path }, inConfig, open)
}

function fromVariable(name: string, inConfig: boolean, env: Environment): GivenSecret {
  const flag = 'client-secret-env'
  // The text is not repeated: it may be the secret itself, given in the place of the name.
  if (!environmentName.test(name)) return wrong(flag, 'takes the name of an environment variable')
  const value = env[name]
  const text = value === undefined ? null : secretOf(value)
  if (text?.ok === false) return wrong(flag, `the variable ${name} ${text.complaint}`)
  if (text !== null) return taken(text.secret, { from: 'env', name }, inConfig, [])
  if (inConfig) return wrong(flag, `the variable ${name} is not set`)
  return { ...nothing, source: { from: 'env', name }, warnings: [`the variable ${name} is not set at the moment`] }
}

async function fromStdin(stdin: Stdin, inConfig: boolean): Promise<GivenSecret> {
  const flag = 'client-secret-stdin'
  if (stdin.isTTY) return wrong(flag, 'needs a pipe, such as `pass show pay | paydesk profile add …`')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > longest) return wrong(flag, 'is longer than any secret')
  }
  const text = secretOf(Buffer.concat(chunks))
  return text.ok ? taken(text.secret, { from: 'keyring' }, inConfig, []) : wrong(flag, text.complaint)
}

export async function secretGiven(given: GivenSettings, env: Environment, stdin: Stdin): Promise<GivenSecret> {
  const flags = secretFlags.filter((flag) => given[flag] !== undefined && given[flag] !== false)
  const inConfig = given['store-secrets'] === true
  const [flag] = flags
  if (flags.length > 1) return wrong(flag ?? '', `cannot stand beside --${flags.slice(1).join(', --')}`)
  if (flag === 'client-secret-file') return fromFile(String(given[flag]), inConfig)
  if (flag === 'client-secret-env') return fromVariable(String(given[flag]), inConfig, env)
  if (flag === 'client-secret-stdin') return fromStdin(stdin, inConfig)
  return inConfig ? wrong('store-secrets', 'needs a client secret to store') : nothing
}
