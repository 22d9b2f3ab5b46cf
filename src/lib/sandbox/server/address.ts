/**
 * The address of a running sandbox: a file that `sandbox start` writes beside the store. The file alone proves nothing (a
 * crash leaves it behind, a pid is given away again), so its reader asks the server which world it has. A server that does
 * not answer at the moment runs all the same: a lock, which ends with its process, keeps the sandbox to one server.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { howMany } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { freshTransport, type TransportSettings } from '../../http/client.ts'
import { isRecord, readJson, writeJson } from '../../json.ts'
import { makePrivateDirectory } from '../../paths.ts'
import { takeLock } from '../../store/engine/lock.ts'
import type { Sandbox } from '../sandbox.ts'

/** The address at which a sandbox shows that it is alive, and its world. */
export const alivePath = '/_sandbox/alive'

interface Address {
  readonly url: string
  readonly pid: number
}

function fileIn(directory: string): string {
  return join(directory, 'server.json')
}

/** The certificate authority of a server that serves https, as PEM: its clients read it from here. */
export function authorityFile(directory: string): string {
  return join(directory, 'authority.pem')
}

export function writeAuthority(directory: string, pem: string): void {
  makePrivateDirectory(directory)
  replaceFile(authorityFile(directory), pem)
}

/** The way to a server of this directory: one that serves https is trusted by its own authority, and by nothing else. */
export function transportTo(directory: string, url: string): TransportSettings {
  if (!url.startsWith('https:')) return {}
  try {
    return { authority: readFileSync(authorityFile(directory), 'utf8') }
  } catch {
    return {}
  }
}

function readAddress(directory: string): Address | null {
  try {
    const read = readJson(readFileSync(fileIn(directory), 'utf8'))
    if (!isRecord(read) || typeof read.url !== 'string') return null
    const pid = Number(String(read.pid))
    return Number.isSafeInteger(pid) && pid > 0 && URL.canParse(read.url) ? { url: read.url, pid } : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Milliseconds. A busy machine answers in that time, and a person waits that long: a command may wait for it once. */
const aliveTimeout = 2000

async function askWorldAt(directory: string, url: string): Promise<string | null> {
  const limits = { connectTimeout: aliveTimeout, answerTimeout: aliveTimeout, signal: new AbortController().signal }
  const request = { method: 'GET', path: alivePath, query: [], headers: {}, body: null } as const
  const delivery = await freshTransport(transportTo(directory, url))(url, request, limits)
  if (delivery.kind !== 'answered' || delivery.answer.status !== 200) return null
  try {
    const read = readJson(delivery.answer.body)
    return isRecord(read) && typeof read.worldId === 'string' ? read.worldId : null
  } catch {
    return null
  }
}

/** The address that a process which still lives has written; whether a sandbox answers there is not asked. */
export function claimedAddress(directory: string): Address | null {
  const address = readAddress(directory)
  return address && isAlive(address.pid) ? address : null
}

/** The sandbox server that runs on this directory's world; null if there is none. */
export async function runningServer(directory: string, worldId: string): Promise<Address | null> {
  const address = claimedAddress(directory)
  if (!address) return null
  return (await askWorldAt(directory, address.url)) === worldId ? address : null
}

/** Milliseconds to wait for a server that is about to end, or has not written its address yet. */
const lockTimeout = 5000

/** Makes this the only server of the directory until the result is called. Throws Failure('locked') where another one is. */
export async function lockDirectory(directory: string): Promise<() => void> {
  const isClaimed = claimedAddress(directory) !== null
  try {
    return await takeLock(join(directory, 'server-lock'), { patience: isClaimed ? 0 : lockTimeout })
  } catch (error) {
    const other = claimedAddress(directory)
    if (!(error instanceof Failure) || error.kind !== 'locked' || !other) throw error
    throw new Failure('locked', `a sandbox already runs at ${other.url} (pid ${other.pid})`, {
      hints: [hint`Use it, or stop it first (^C in its terminal).`],
    })
  }
}

/** Replaces a file atomically; only its owner may read it. */
function replaceFile(path: string, text: string): void {
  const fresh = `${path}.new`
  rmSync(fresh, { force: true })
  writeFileSync(fresh, text, { flag: 'wx', mode: 0o600 })
  renameSync(fresh, path)
}

/** Writes the address for other processes. Only the server that holds the lock of the directory may do so. */
export function writeAddress(directory: string, address: Address): void {
  makePrivateDirectory(directory)
  replaceFile(fileIn(directory), `${writeJson(address)}\n`)
}

/** As long as the lock is held nobody else has written one. */
export function removeAddress(directory: string): void {
  rmSync(fileIn(directory), { force: true })
}

/** The number of callbacks that wait because no sandbox runs that sends them; no words where one does. */
export async function waitingInWords(
  sandbox: Pick<Sandbox, 'world'>,
  directory: string,
  callbacks: readonly { readonly state: string }[],
): Promise<string[]> {
  const waiting = callbacks.filter(({ state }) => state === 'waiting').length
  if (waiting === 0) return []
  const { worldId } = await sandbox.world()
  if (await runningServer(directory, worldId)) return []
  const what = howMany(waiting, 'callback waits', 'callbacks wait')
  return [`${what}, because no sandbox runs: \`paydesk sandbox start\` sends them`]
}
