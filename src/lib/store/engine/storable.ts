/**
 * Texts as every engine gives them back: SQLite ends one at a NUL, which Postgres refuses, and a half of a surrogate pair is no
 * Unicode. A service may have both in its words, as escapes in JSON. Before a digest, and before anything is looked for, they are
 * replaced.
 */

const mark = '\ufffd'
const halves = /\p{Surrogate}/gu
/** A text without one of these is stored as it is: nearly every one. */
const suspect = /[\0\ud800-\udfff]/

/** The same value; a text with the sign for what cannot be shown in the place of what cannot be stored. */
export function storable<Value>(value: Value): Value | string {
  if (typeof value !== 'string' || !suspect.test(value)) return value
  return value.replaceAll('\0', mark).replaceAll(halves, mark)
}
