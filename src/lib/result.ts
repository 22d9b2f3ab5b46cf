/**
 * The words in which a result says what `--json` prints of it. A result is a zod schema in the room that makes it; its type
 * is inferred from that, and `npm run schemas` publishes it. Makers import the type alone, so that no run builds a schema.
 */
import { z } from 'zod'
import { JsonNumber } from './contract/core/decimal.ts'

type Immutable<Value> = Value extends JsonNumber
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value

/** The result as its maker gives it: nothing changes it afterwards. */
export type ResultOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>

/** The schema of a command's output; several where it prints several documents. */
export type Published = () => z.ZodType | readonly z.ZodType[] | Promise<z.ZodType | readonly z.ZodType[]>

/** A sum, or another number of which no digit may be lost. */
export const jsonAmount = z.custom<JsonNumber>((value) => value instanceof JsonNumber).meta({ type: 'number' })

export const uuidText = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

export const journalIdText = z.string().regex(/^j-[0-9a-f]{12}$/)

/** One of these words, where its maker knows it as text only. */
export const oneWordOf = (words: readonly string[]) => z.string().meta({ enum: [...words] })

/** A JSON object that came from elsewhere: as it stands. */
export const foreignObject = z.unknown().meta({ type: 'object' })

export const environmentWord = oneWordOf(['sandbox', 'test', 'live']).describe('Real money moves on `live` only.')

export const utcMoment = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/)
  .describe('Time of this machine, UTC.')

export const warningTexts = z.array(z.string()).describe('Texts for a person.')
