/** The sandbox's clock at the top of the page: it runs on by itself between two answers of the server. */
import { serviceZoneHours } from '../../../contract/assumed.ts'
import { find } from './page.ts'

const zone = serviceZoneHours * 3_600_000

let read = performance.now()

export function tickClock(): void {
  const clock = find('#clock')
  if (!clock) return
  const now = Number(clock.dataset.now) + performance.now() - read
  clock.textContent = new Date(now + zone).toISOString().slice(0, 19).replace('T', ' ')
}

/** After the server has told the time anew. */
export function restartClock(): void {
  read = performance.now()
  tickClock()
}
