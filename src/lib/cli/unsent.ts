/** A request that is shown in the place of being sent: a write with --dry-run or --curl, a read with --curl. */
import type { z } from 'zod'
import { printableJson } from '../json.ts'
import type { Published, ResultOf } from '../result.ts'
import { textView, type View } from './output/view.ts'
import type { openDryRunResult, readCurlResult, sealedDryRunResult } from './result.ts'

/** The message of a write that would leave the machine, byte for byte. */
export type DryRun = ResultOf<typeof sealedDryRunResult | typeof openDryRunResult>

export type ReadCurl = ResultOf<typeof readCurlResult>

export type Unsent = DryRun | ReadCurl

export function isUnsent(result: unknown): result is Unsent {
  return typeof result === 'object' && result !== null && 'dryRun' in result && 'curl' in result
}

export function unsentView(unsent: Unsent): View {
  if (!('headers' in unsent) || unsent.curl !== null) return textView(unsent.curl ?? '')
  const { method, url, headers, body, payload } = unsent
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const message = [`${method} ${url}`, ...lines, '', body ?? ''].join('\n')
  return [...textView(message), ...(payload === null ? [] : textView(`Sealed in it:\n${printableJson(payload, 2)}`))]
}

type Results = typeof import('../desk/results.ts')
type NameOfResult = { [Name in keyof Results]: Results[Name] extends z.ZodType ? Name : never }[keyof Results]

/** The schema of what a write comes to: its receipt, or the dry run in its place. */
export function receiptOrDryRun(receipt: NameOfResult, more = '', wire: 'sealed' | 'open' = 'sealed'): Published {
  return async () => {
    const { openDryRunResult, sealedDryRunResult } = await import('./result.ts')
    const results = await import('../desk/results.ts')
    return results[receipt]
      .or(wire === 'sealed' ? sealedDryRunResult : openDryRunResult)
      .describe(`The receipt; with --dry-run what would leave the machine.${more}`)
  }
}

/** The schemas of what a read comes to: its answer, or with --curl the command in its place. */
export function answerOrCurl(answer: NameOfResult): Published {
  return async () => {
    const { readCurlResult } = await import('./result.ts')
    return [(await import('../desk/results.ts'))[answer], readCurlResult]
  }
}
