import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePrivateFile, networkFileSystem } from '../../../../src/lib/store/engine/file-system.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'

function place(): string {
  const directory = temporaryDirectory('files')
  return directory
}

test.each([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
])('the file system type %i is that of %s, whether or not the number came with a sign', (type, name) => {
  expect(networkFileSystem('/home/me', () => type)).toBe(name)
  expect(networkFileSystem('/home/me', () => type | 0)).toBe(name)
})

test.each([
  ['ext4', 0xef53],
  ['XFS', 0x58465342],
  ['Btrfs', 0x9123683e],
  ['tmpfs', 0x01021994],
  ['overlay', 0x794c7630],
  ['ZFS', 0x2fc12fc1],
])('%s is no network file system', (_name, type) => {
  expect(networkFileSystem('/home/me', () => type)).toBeNull()
})

test('a share of Windows is a network file system by its name', () => {
  const never = () => {
    throw new Error('asked')
  }
  expect(networkFileSystem('\\\\server\\share\\paydesk', never)).toBe('SMB')
  expect(networkFileSystem('//server/share/paydesk', never)).toBe('SMB')
})

test('the directory of temporary files of this machine is asked for its real type', () => {
  expect(networkFileSystem(place())).toBeNull()
})

test('a private file and the directories made for it are for their owner only', () => {
  const directory = place()
  const path = join(directory, 'a', 'b', 'store.db')
  const before = process.umask(0)
  try {
    makePrivateFile(path)
  } finally {
    process.umask(before)
  }
  const modes = [path, join(path, '..'), join(path, '..', '..')].map((each) =>
    (statSync(each).mode & 0o777).toString(8),
  )
  expect(modes).toEqual(['600', '700', '700'])
})

test('a file that was open to others is closed to them, and keeps what it holds', () => {
  const path = join(place(), 'store.db')
  writeFileSync(path, 'kept')
  chmodSync(path, 0o644)
  makePrivateFile(path)
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  expect(readFileSync(path, 'utf8')).toBe('kept')
})
