/** The ledger: the truth that tests compare with the belief of a client. Each room tells its own part. */
import type { SandboxReader } from '../../store/sandbox/schema.ts'

/** The entries of one kind, the oldest first. */
export type LedgerPart = (db: SandboxReader, now: number) => Promise<readonly unknown[]>

export type LedgerParts = Readonly<Record<string, LedgerPart>>

export type LedgerOf<Parts extends LedgerParts> = {
  readonly [Name in keyof Parts]: Awaited<ReturnType<Parts[Name]>>
}

export async function readLedger<Parts extends LedgerParts>(
  parts: Parts,
  db: SandboxReader,
  now: number,
): Promise<LedgerOf<Parts>> {
  const read: [string, readonly unknown[]][] = []
  for (const [name, part] of Object.entries(parts)) read.push([name, await part(db, now)])
  return Object.fromEntries(read) as LedgerOf<Parts>
}

/** Of one row after the other: a world has few. */
export async function describeEach<Row, Entry>(
  rows: readonly Row[],
  describe: (row: Row) => Promise<Entry>,
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const row of rows) entries.push(await describe(row))
  return entries
}
