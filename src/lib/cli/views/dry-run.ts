/** The output of a dry run: the message as it would leave, or as a curl command. */
import type { z } from 'zod'
import { printableJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import type { openDryRunResult, sealedDryRunResult } from '../result.ts'
import type { View } from './view.ts'

/** The message that would leave the machine, byte for byte. */
export type DryRun = ResultOf<typeof sealedDryRunResult | typeof openDryRunResult>

/** The schema of what a write comes to: its receipt, or the dry run in its place. */
export async function receiptOrDryRun(receipt: z.ZodType, more = '', wire: 'sealed' | 'open' = 'sealed') {
  const { openDryRunResult, sealedDryRunResult } = await import('../result.ts')
  return receipt
    .or(wire === 'sealed' ? sealedDryRunResult : openDryRunResult)
    .describe(`The receipt; with --dry-run what would leave the machine.${more}`)
}

/** Draws the result of a write, or the dry run in its place. */
export function orDryRun<Result extends object>(result: Result | DryRun, view: (result: Result) => View): View {
  return isDryRun(result) ? dryRunView(result) : view(result)
}

function isDryRun(result: object): result is DryRun {
  return 'dryRun' in result
}

/** The message, or the curl command. */
function dryRunView({ method, url, headers, body, payload, curl }: DryRun): View {
  if (curl !== null) return [{ kind: 'text', text: curl }]
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const message = [`${method} ${url}`, ...lines, '', body ?? ''].join('\n')
  const inside: View = payload === null ? [] : [{ kind: 'text', text: `Sealed in it:\n${printableJson(payload, 2)}` }]
  return [{ kind: 'text', text: message }, ...inside]
}
