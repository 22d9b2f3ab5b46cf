/**
 * The first reading of a file: what is wrong in it, what it adds up to, and the identity of its plan. Nothing is kept of a
 * row but its part in the hash, so a file of a million rows takes no more memory than one of ten.
 */
import { createHash } from 'node:crypto'
import type { Members } from '../../contract/core/members.ts'
import { createPayout } from '../../contract/payout/payout.ts'
import type { ServicePlace } from '../../contract/service.ts'
import { digestOfRequest, scopeOf } from '../../desk/draft.ts'
import { Complaints } from '../read/check.ts'
import { type BatchFile, type FileTold, givenIdOf } from '../read/row.ts'

export interface Survey {
  readonly complaints: Complaints
  /** Rows that keep every rule. */
  readonly whole: number
  /** Those among them without a key. */
  readonly keyless: number
  /** Those without a key that keep the id of the plan that they came from. */
  readonly given: number
  readonly told: FileTold
  /** Of the canonical rows, in their order. */
  readonly content: string
}

/** The words by which one row is the same as another: its key and what it asks for. */
export function contentOf({ request }: { readonly request: Members }): string {
  return digestOfRequest(createPayout, request)
}

/** The hash of rows in their order. */
export class RowsHash {
  readonly #hash = createHash('sha256')

  /** `givenId`: an id that does not follow from the row, and has to be kept as it is. */
  add(key: string | null, content: string, givenId: string | null): void {
    this.#hash.update(JSON.stringify(givenId === null ? [key, content] : [key, content, givenId]))
  }

  digest(): string {
    return this.#hash.digest('base64url')
  }
}

export async function surveyOf(file: BatchFile): Promise<Survey> {
  const hash = new RowsHash()
  const complaints = new Complaints()
  let [whole, keyless, given] = [0, 0, 0]
  for await (const each of file.rows) {
    if (each.kind === 'complaint') {
      complaints.add(each)
      continue
    }
    whole += 1
    const givenId = givenIdOf(each)
    if (each.key === null) keyless += 1
    if (givenId !== null) given += 1
    hash.add(each.key, contentOf(each), givenId)
  }
  return {
    complaints,
    whole,
    keyless,
    given,
    told: file.told(),
    content: hash.digest(),
  }
}

/** The hash of origin, client, name and rows: the same file planned again is the same plan. */
export function planHash(
  profile: ServicePlace,
  { name, again, content }: { readonly name: string; readonly again: string | null; readonly content: string },
): string {
  const { serviceId, environment, clientId } = scopeOf(profile)
  const parts = ['paydesk plan', serviceId, environment, clientId, name, again, content]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
