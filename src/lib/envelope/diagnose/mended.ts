/** The damage of an envelope that opens all the same: mended here, and by other receivers perhaps not. */
import { base64Damages } from '../base64.ts'
import type { DamageCode } from './damage.ts'
import { inspect } from './inspect.ts'

const mendable: ReadonlySet<DamageCode> = new Set([...base64Damages, 'json-twice', 'bare'] as const)

/** A sentence for each thing that was mended before the text could be opened; none where it is exactly as the service writes. */
export function mendedIn(text: string): readonly string[] {
  const found = inspect(text).damage.filter(({ code }) => mendable.has(code))
  return found.map(({ message }) => `mended: ${message}`)
}
