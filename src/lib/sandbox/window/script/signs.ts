/** Signs of the page itself: the live connection, and for a while the answer to a form. */
import { find } from './page.ts'

export function showConnection(live: boolean, words: string): void {
  const sign = find('#live')
  // Said anew, it would be read out anew.
  if (!sign || sign.textContent === words) return
  sign.textContent = words
  sign.className = live ? 'live' : 'lost'
}

const readingTime = 8000

let said = 0

export function sayForAWhile(words: string, good: boolean): void {
  const place = find('#said')
  if (!place) return
  said += 1
  const mine = said
  place.textContent = words
  place.className = good ? 'good' : 'bad'
  setTimeout(() => {
    if (mine === said) place.textContent = ''
  }, readingTime)
}
