/** Places and files of this person: may others read or write them, and may this person? */
import { accessSync, constants, readdirSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { hint } from '../../hint.ts'
import type { Places } from '../../home.ts'
import type { StoredProfile } from '../../profile/settings/stored.ts'
import { othersMayWrite } from '../../readable-file.ts'
import { networkFileSystem } from '../../store/engine/file-system.ts'
import { finding, type OpenFinding } from './finding.ts'
import { pathWord, shownPath } from './shown-path.ts'

/** Bytes without which a payment may not be written down. */
const leastRoom = 64 * 1024 * 1024

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory).map((name) => join(directory, name))
  } catch {
    return []
  }
}

function directoriesOf(places: Places, home: string | null): readonly string[] {
  const own = [places.config, dirname(places.journal), dirname(places.callbacks), places.batches]
  return [...(home === null ? [] : [home]), ...own, places.outbox, places.sandbox, places.tokens]
}

function filesOf(directories: readonly string[], profile: StoredProfile | null): readonly string[] {
  const { clientSecret, clientKeyFile, privateKeyFile, walletPrivateKeyFile } = profile ?? {}
  const secret = clientSecret?.from === 'file' ? clientSecret.path : undefined
  const named = [secret, clientKeyFile, privateKeyFile, walletPrivateKeyFile].filter((file) => file !== undefined)
  const below = directories.flatMap(entriesOf).filter((path) => statOf(path)?.isFile())
  return [...new Set([...below, ...named])]
}

/** Keys and certificates of others: anybody may read them, and nobody else may put others in their place. */
function publicFilesOf(profile: StoredProfile | null): readonly string[] {
  const { caFile, clientCertificateFile, servicePublicKeyFile, walletServicePublicKeyFile } = profile ?? {}
  return [caFile, clientCertificateFile, servicePublicKeyFile, walletServicePublicKeyFile].filter(
    (file) => file !== undefined,
  )
}

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Windows has no modes to tell by. */
function ofMode(path: string, isPublic = false): OpenFinding | null {
  const stat = statOf(path)
  if (!stat) return null
  const isDirectory = stat.isDirectory()
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
  const shown = `${shownPath(path)} (${mode})`
  const by = othersMayWrite(stat)
  if (by === 'owner')
    return finding('files', 'bad', `${shown} belongs to another user`, hint`chown "$(id -u)" ${pathWord(path)}`)
  if (by === 'mode') return finding('files', 'bad', `others may write ${shown}`, hint`chmod go-w ${pathWord(path)}`)
  if (!isDirectory && !isPublic && (stat.mode & 0o077) !== 0)
    return finding('files', 'notice', `others may read ${shown}`, hint`chmod 600 ${pathWord(path)}`)
  if (!isDirectory || mayUse(path)) return null
  const why = `${shown} cannot be read and written by this user`
  return finding('files', 'bad', why, hint`Run it as its owner, or give it to this user with chown.`)
}

export function lookAtModes(
  places: Places,
  home: string | null,
  profile: StoredProfile | null,
): readonly OpenFinding[] {
  if (process.platform === 'win32') return [finding('files', 'unseen', 'Windows has no modes to tell by')]
  const directories = directoriesOf(places, home).filter((path) => statOf(path)?.isDirectory())
  const [own, open] = [[...directories, ...filesOf(directories, profile)], publicFilesOf(profile)]
  const wrong = [...own.flatMap((path) => ofMode(path) ?? []), ...open.flatMap((path) => ofMode(path, true) ?? [])]
  if (wrong.length > 0) return wrong
  const count = own.length === 1 ? 'one place is' : `${own.length} files and directories are`
  return [
    own.length === 0
      ? finding('files', 'good', 'there are none yet')
      : finding('files', 'good', `${count} yours alone`),
  ]
}

/** The nearest directory above that exists. */
function existing(path: string): string {
  return statOf(path)?.isDirectory() || dirname(path) === path ? path : existing(dirname(path))
}

function inMegabytes(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3
  return gigabytes >= 1 ? `${gigabytes.toFixed(1)} GiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`
}

/** The place of the journal, and whether there is room for it. `home`: PAYDESK_HOME. */
export function lookAtHome({ journal }: Places, home: string | null): OpenFinding {
  const place = home === null ? dirname(dirname(journal)) : resolve(home)
  const said = `${home === null ? 'the place of this system' : 'PAYDESK_HOME'}, ${shownPath(place)}`
  const standing = existing(place)
  const network = networkFileSystem(standing)
  if (network !== null)
    return finding(
      'home',
      'bad',
      `${said}, lies on a network file system (${network}), where locks do not hold`,
      hint`Move it to a disk of this machine, and point PAYDESK_HOME there.`,
    )
  const { bavail, bsize } = statfsSync(standing)
  const free = bavail * bsize
  if (free < leastRoom)
    return finding(
      'home',
      'bad',
      `${said}, has ${inMegabytes(free)} left: a payment that cannot be written down is not sent`,
      hint`Make room on its disk.`,
    )
  return finding(
    'home',
    'good',
    `${said}${standing === place ? '' : ', which is not there yet'}; ${inMegabytes(free)} free`,
  )
}
