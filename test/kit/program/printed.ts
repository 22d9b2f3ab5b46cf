/** Holds the output of a command with --json against the result that it names. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { toJSONSchema, type z } from 'zod'
import type { Published } from '../../../src/lib/result.ts'

/** test/schemas.test.ts checks once that the schemas are schemas; here most of the time would go into it. */
const quickly = { validateSchema: false, meta: false, code: { optimize: false } }
const ajv = new Ajv2020({ strict: false, allErrors: true, ...quickly })
const compiled = new Map<z.ZodType, ValidateFunction>()

function validator(result: z.ZodType): ValidateFunction {
  const known = compiled.get(result)
  if (known) return known
  const made = ajv.compile(toJSONSchema(result, { unrepresentable: 'any' }))
  compiled.set(result, made)
  return made
}

const inWords = ({ instancePath, message }: ErrorObject) => `${instancePath || 'it'} ${message}`

/** A stream prints a document in each line. */
function documentsIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
}

/** The whole result is printed only where no part of it was asked for. */
function isWhole(argv: readonly string[]): boolean {
  return argv.includes('--json') && !argv.some((each) => /^--(fields|query|output)\b/.test(each))
}

/** Throws where a document is none that the command's `result` describes. */
export async function mustFit(argv: readonly string[], result: Published | undefined, text: string): Promise<void> {
  if (!isWhole(argv) || text.trim() === '' || !result) return
  const validators = [await result()].flat().map(validator)
  for (const document of documentsIn(text)) {
    if (validators.some((fits) => fits(document))) continue
    const complaints = validators.flatMap(({ errors }) => errors ?? []).map(inWords)
    throw new Error(`${argv.join(' ')}: what it printed does not fit its result: ${complaints.join('; ')}`)
  }
}
