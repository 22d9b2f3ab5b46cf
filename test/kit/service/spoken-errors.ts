/** Members in which a success speaks of an error, the places where they may stand, and those that say that there is none. */
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'

type Members = Readonly<Record<string, unknown>>

const number = (value: number) => new JsonNumber(String(value))

export const failures: readonly Members[] = [
  { error: { statusCode: number(6038), message: 'no' } },
  { errors: [{ code: number(6038) }] },
  { Error: 'boom' },
  { error: true },
  { exception: 'Refund' },
  { errorMessage: 'insufficient balance', errorCode: number(5038) },
  { error_message: 'insufficient balance' },
  { 'error-code': '5038' },
  { errorCode: 'NO_BALANCE' },
  { errorDescription: 'blocked' },
  { code: number(5038), message: 'insufficient balance' },
  { code: 'INSUFFICIENT_BALANCE' },
  { exceptionGroup: number(1) },
  { exceptionName: 'InsufficientBalance' },
  { fault: 'x' },
  { failReason: 'no money' },
  { failureReason: 'no money' },
  { rejectReason: 'blocked' },
  { success: false },
  { success: 'false' },
  { Success: false },
  { success: number(0) },
  { ok: false },
  { isSuccess: false },
  { is_success: false },
  { isSuccessful: false },
  { hasErrors: true },
  { failed: true },
]

export const nothingFailed: readonly Members[] = [
  { error: null, errors: [], errorMessage: '', errorCode: number(0), exceptionGroup: null, failReason: null },
  { code: number(200), success: true, isSuccessful: 'true', hasErrors: false, failed: 'false' },
  { code: 'OK', errorCode: '0', message: 'Success', error: {}, fault: '', exceptionGroup: number(0) },
  { error: '', errors: [], success: true },
]

export const placesOfErrors: Readonly<Record<string, (done: Members, failure: Members) => Members>> = {
  'among its members': (done, failure) => ({ ...done, ...failure }),
  'beside its value': (done, failure) => ({ ...failure, value: done }),
  'in its value': (done, failure) => ({ value: { ...done, ...failure } }),
  'deep in it': (done, failure) => ({ ...done, result: [{ data: failure }] }),
}
