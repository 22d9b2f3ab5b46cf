/** A name in a file that no field has: the complaint with the name that was meant, where one is near. */
import { orMeant } from '../../../nearest.ts'
import type { BatchRow, Complaint } from '../row.ts'
import { rowFields } from './contract.ts'

const names = [...rowFields.map(({ name }) => name), 'key']

export async function meantColumn<Read extends BatchRow | Complaint>(read: Read): Promise<Read> {
  if (read.kind !== 'complaint' || !read.message.includes('is no field of a payout')) return read
  const [, mapped] = /^is mapped to "([^"]*)"/.exec(read.message) ?? []
  return { ...read, message: `${read.message}${await orMeant(mapped ?? read.header ?? '', names)}` }
}

export function allWithMeant(complaints: readonly Complaint[]): Promise<readonly Complaint[]> {
  return Promise.all(complaints.map(meantColumn))
}
