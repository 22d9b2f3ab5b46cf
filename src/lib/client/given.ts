/** Answers that hand something out: a card that is charged, an address that a payer is sent to. Two that differ are none. */
import type { Operation } from '../contract/operation.ts'
import { isRecord } from '../json.ts'
import type { Content } from './code-alone.ts'
import { formOf, inTheClear, objectsBelow, objectsIn, type ToldPlaces, toldPlacesIn, valuesOf } from './told.ts'

const isCard = (operation: Operation) => operation.effect === 'read' && operation.gives === 'card token'

/** A card is charged without another question, so all of its answer is looked at, however deep, in lists, too. */
export function placesOf(body: unknown, opened: Content | null, operation: Operation): ToldPlaces {
  const within = (value: unknown) => (isCard(operation) ? objectsBelow(value) : objectsIn(value))
  if (opened === null) return toldPlacesIn(within(body))
  return toldPlacesIn([...within(inTheClear(body)), ...('value' in opened ? within(opened.value) : [])])
}

/** The fact of which the read of a card tells two: its token, whatever it is called; null where it does not. */
export function twoCardsIn(places: ToldPlaces, operation: Operation): string | null {
  if (!isCard(operation)) return null
  const tokens = ['token', 'cardToken'].flatMap((name) => valuesOf(places, name))
  return new Set(tokens.map((token) => formOf('token', token))).size > 1 ? 'its tokens' : null
}

/**
 * An answer with all the addresses for a payer that stand in these values, however deep, where two of them differ: a list of
 * them is none to send anybody to.
 */
export function withOneAddress<Answer>(answer: Answer, values: readonly unknown[]): Answer {
  const told = valuesOf(toldPlacesIn(values.flatMap((value) => objectsBelow(value))), 'urlForQR')
  const addresses = [...new Set(told.map((address) => String(address).trim()))].filter((address) => address !== '')
  return isRecord(answer) && addresses.length > 1 ? { ...answer, urlForQR: addresses } : answer
}
