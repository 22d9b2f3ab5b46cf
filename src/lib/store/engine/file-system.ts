/** The place of a database: a directory for its owner only, on a disk of this machine (SQLite's locks and WAL need both). */

import { chmodSync, closeSync, constants, existsSync, lstatSync, openSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { FailureBeforeSending } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { makePrivateDirectory } from '../../paths.ts'

/** Magic numbers of statfs(2) for file systems whose other side is another machine. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x73757245, 'Coda'],
])

export type FileSystemType = (directory: string) => number

const typeOnThisMachine: FileSystemType = (directory) => (process.platform === 'linux' ? statfsSync(directory).type : 0)

/** The name of the network file system a directory lies on; null on a local one. */
export function networkFileSystem(directory: string, typeOf: FileSystemType = typeOnThisMachine): string | null {
  if (/^(\\\\|\/\/)[^\\/]/.test(directory)) return 'SMB'
  return networkFileSystems.get(typeOf(directory) >>> 0) ?? null
}

/** No link is followed: it could lead to a file of another's choice between the look and the opening. */
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** A database that is a link, or lies behind one, may be another's, or on another disk. Throws Failure('credentials'). */
function mustBeNoLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new FailureBeforeSending('credentials', `${path} is a link, and links are not followed`, {
    hints: [hint`Put the directory itself there, or point PAYDESK_HOME at where it is.`],
  })
}

/**
 * Creates a file 0600 before SQLite opens it: its -wal and -shm files inherit the mode (SQLite's own default is 0644). One
 * that exists is never opened here: closing any descriptor of a file drops all locks that this process holds on it (POSIX).
 */
export function makePrivateFile(path: string): void {
  mustBeNoLink(dirname(path))
  for (const neighbour of ['', '-wal', '-shm']) mustBeNoLink(`${path}${neighbour}`)
  makePrivateDirectory(dirname(path))
  if (existsSync(path)) {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
    return
  }
  try {
    closeSync(openSync(path, newFile, 0o600))
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The next step where a file below PAYDESK_HOME cannot be written: another home would be another journal, and could pay twice. */
export const mendTheDisk = hint`Correct the disk (space, permissions) and run it again with the same PAYDESK_HOME: another one has another journal, which does not know what was paid.`
