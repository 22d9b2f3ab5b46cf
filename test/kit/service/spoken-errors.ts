/** Members in which a success speaks of an error, the places where they may stand, and those that say that there is none. */
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'

type Members = Readonly<Record<string, unknown>>

const number = (value: number) => new JsonNumber(String(value))

export const failures: readonly Members[] = [
  { error: { statusCode: number(6038), message: 'no' } },
  { errors: [] },
  { Error: 'boom' },
  { error: true },
  { exception: 'Refund' },
  { errorMessage: 'insufficient balance', errorCode: number(5038) },
  { error_message: 'insufficient balance' },
  { errorCode: 'NO_BALANCE' },
  { errorDescription: 'blocked' },
  { statusCode: number(200) },
  { exceptionGroup: number(1) },
  { exceptionName: 'InsufficientBalance' },
  { fault: 'x' },
]

export const nothingFailed: readonly Members[] = [
  { error: null, errors: null, errorMessage: null, errorCode: null, exceptionGroup: null, statusCode: null },
  { code: 'OK', message: 'Success', success: true, hasErrors: false },
]

export const placesOfErrors: Readonly<Record<string, (done: Members, failure: Members) => Members>> = {
  'among its members': (done, failure) => ({ ...done, ...failure }),
  'beside its value': (done, failure) => ({ ...failure, value: done }),
  'in its value': (done, failure) => ({ value: { ...done, ...failure } }),
}
