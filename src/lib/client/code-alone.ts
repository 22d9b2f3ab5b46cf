/**
 * A code is believed where it stands alone: what contradicts it anywhere in the same answer, in lists of errors and in sealed
 * texts too, makes both unbelievable.
 */
import type { Members } from '../contract/core/members.ts'
import { isRecord } from '../json.ts'
import { codeCarrier, errorIn, isEmpty } from './complaints.ts'
import { ofPlainErrors } from './error-members.ts'
import { memberKind } from './member-kind.ts'
import { contradictionIn, inTheClear, objectsBelow, toldPlacesIn } from './told.ts'

/** The content of a body: its value, or the reason why it cannot be read. */
export type Content = { readonly value: unknown } | { readonly why: string }

const isSealedText = (object: Members) => Object.keys(object).some((name) => memberKind(name) === 'encrypteddata')

const isOfErrors = (name: string) => ofPlainErrors.has(memberKind(name))

/** True for what an envelope holds that is neither an error nor nothing. */
function isOtherThanError(value: unknown): boolean {
  if (isEmpty(value)) return false
  if (!isRecord(value)) return true
  const isError = codeCarrier(value) !== null || (errorIn(value) !== null && Object.keys(value).every(isOfErrors))
  return !isError
}

/** The codes and groups of all objects of an answer, in which each may stand once only, however often. */
function twoCodesIn(objects: readonly Members[]): string | null {
  const codes = objects.map((object) =>
    Object.fromEntries(
      Object.entries(object).filter(([name]) => /^(?:statuscode|exceptiongroup)$/.test(memberKind(name))),
    ),
  )
  return contradictionIn(toldPlacesIn(codes))
}

/**
 * The reason why the code of a body cannot be believed; null where nothing stands beside it. `opened` is what the envelope
 * holds, null where the body is none.
 */
export function besideCode(body: unknown, opened: Content | null): string | null {
  if (opened !== null && 'why' in opened) return `the answer has a code beside an envelope, and ${opened.why}`
  const clear = objectsBelow(opened === null ? body : inTheClear(body))
  const sealed = opened === null ? [] : objectsBelow(opened.value)
  const objects = [...clear, ...sealed]
  if (objects.some(isSealedText)) return 'the answer has a code, and a sealed text where none belongs'
  const twice = twoCodesIn(objects)
  if (twice !== null) return `the answer contradicts itself: it tells two of ${twice}`
  const isInTheClear = codeCarrier(inTheClear(body)) !== null
  if (opened === null || !isInTheClear || !isOtherThanError(opened.value)) return null
  return 'the answer has a code beside an envelope that holds no error'
}
