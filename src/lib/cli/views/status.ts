/** A status as people see it: "SUCCESS (paid)", and one that the contract does not know as it came. */
import type { StatusReader } from '../../contract/status.ts'

export function statusInWords(read: StatusReader | null, status: string): string
export function statusInWords(read: StatusReader | null, status: string | null): string | null
export function statusInWords(read: StatusReader | null, status: string | null): string | null {
  const facts = status === null ? null : read?.(status)
  return facts ? `${status} (${facts.means})` : status
}
