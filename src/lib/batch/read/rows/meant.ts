/** A name in a file that no field has: the complaint with the name that was meant, where one is near. */
import { orMeant } from '../../../nearest.ts'
import type { BatchRow, Complaint } from '../row.ts'
import { orTheKey } from './columns.ts'
import { rowFields } from './contract.ts'

const names = [...rowFields.map(({ name }) => name), 'key']

export async function meantColumn<Read extends BatchRow | Complaint>(read: Read): Promise<Read> {
  if (read.kind !== 'complaint' || !read.message.includes('is no field of a payout')) return read
  const [, mapped] = /^is mapped to "([^"]*)"/.exec(read.message) ?? []
  const meant = await orMeant(mapped ?? read.header ?? '', names)
  // The name of a field that was mistyped is no key.
  return { ...read, message: `${meant === '' ? read.message : read.message.replace(orTheKey, '')}${meant}` }
}

export function allWithMeant(complaints: readonly Complaint[]): Promise<readonly Complaint[]> {
  return Promise.all(complaints.map(meantColumn))
}
