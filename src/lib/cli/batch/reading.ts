/** The flags that say how a file of payouts is to be read, and the file read by them. */
import { Flags } from '@oclif/core'
import type { FileToRead } from '../../batch/read/file.ts'
import { type BatchFile, type FileFormat, fileFormats, type ReadOptions } from '../../batch/read/row.ts'
import { permissionNames } from '../../contract/permission.ts'
import type { Profile } from '../../profile/profile.ts'
import type { Invocation } from '../invocation.ts'

export const readingFlags = {
  format: Flags.option({ description: 'instead of what the file looks like', options: fileFormats })(),
  map: Flags.string({
    description: 'which columns are which fields (YAML); the text of a pain.001',
    helpValue: '<file>',
  }),
  'key-column': Flags.string({
    description: 'the column with the key of each row; "key" if there is one, in pain.001 the EndToEndId',
    helpValue: '<header>',
  }),
}

export interface ReadingFlags {
  readonly format?: FileFormat | undefined
  readonly map?: string | undefined
  readonly 'key-column'?: string | undefined
}

/** The file of a command, to be taken once, and how it is to be read. Null: no profile is looked at. */
export async function fileOf(
  { edge, signal }: Invocation,
  path: string,
  flags: ReadingFlags,
  profile: Pick<Profile, 'permits' | 'orderType'> | null,
): Promise<readonly [FileToRead, ReadOptions]> {
  const { fileToRead } = await import('../../batch/read/file.ts')
  const { readColumnMap } = await import('../../batch/read/column-map.ts')
  const permits = profile?.permits ?? new Set(permissionNames)
  const options: ReadOptions = {
    format: flags.format ?? null,
    map: flags.map === undefined ? null : await readColumnMap(flags.map),
    keyColumn: flags['key-column'] ?? null,
    debits: profile && (permits.has('fromIban') ? 'any-account' : 'one-account'),
    circumstances: { permits, orderType: profile?.orderType ?? null, now: edge.clock.now() },
  }
  return [fileToRead(path, () => edge.stdin, signal), options]
}

/** Reads the file from its beginning, as this profile would send it. */
export async function readFile(
  invocation: Invocation,
  path: string,
  flags: ReadingFlags,
  profile: Pick<Profile, 'permits' | 'orderType'>,
): Promise<BatchFile> {
  const { readRows } = await import('../../batch/read/read.ts')
  return readRows(...(await fileOf(invocation, path, flags, profile)))
}
