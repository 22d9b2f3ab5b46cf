/** The chart of rows over time: a bar for each step, as a drawing that needs no script. */

import { html } from 'hono/html'
import { howMany } from '../../../contract/core/text.ts'
import type { Timeline } from '../report/timeline.ts'
import { type PaperName, paperNames } from '../standing.ts'
import type { ReportHtml } from './piece.ts'

const [width, height, left, foot] = [720, 200, 60, 32]

const words: Readonly<Record<PaperName, string>> = {
  ok: 'accepted',
  refused: 'refused',
  unknown: 'unknown',
  unsent: 'not sent',
}

/** "14:05:30 UTC", or with its day where a step is a day or longer. */
function shown(moment: number, length: number): string {
  const iso = new Date(moment).toISOString()
  return length >= 86_400_000 ? iso.slice(0, 10) : `${iso.slice(11, 19)} UTC`
}

/** "5 minutes". */
function inWords(milliseconds: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ] as const
  const [size, name] = units.find(([each]) => milliseconds >= each) ?? units[3]
  const count = milliseconds / size
  return howMany(count, name)
}

export function chart(timeline: Timeline): ReportHtml {
  const { steps, length } = timeline
  const totals = steps.map(({ counts }) => paperNames.reduce((sum, name) => sum + counts[name], 0))
  const most = Math.max(1, ...totals)
  const [first, last] = [steps[0]?.from ?? 0, steps.at(-1)?.from ?? 0]
  const each = (width - left) / Math.max(1, steps.length)
  const high = height - foot - 8
  const bars = steps.flatMap(({ counts, from }, at) => {
    let top = height - foot
    return paperNames.flatMap((name) => {
      if (counts[name] === 0) return []
      const size = (counts[name] / most) * high
      top -= size
      const bar = { x: left + at * each, y: top, width: Math.max(1, Math.min(each - 1, 40)), height: size }
      return html`<rect class="${name}" x="${bar.x.toFixed(2)}" y="${bar.y.toFixed(2)}" width="${bar.width.toFixed(2)}" height="${bar.height.toFixed(2)}"><title>${shown(from, length)}: ${counts[name]} ${words[name]}</title></rect>`
    })
  })
  const base = height - foot
  const barInWords = inWords(length)
  const said = `${howMany(
    totals.reduce((sum, count) => sum + count, 0),
    'row',
  )} from ${shown(first, length)} to ${shown(last, length)}; at most ${most} in ${barInWords}`
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${said}">
    <line class="axis" x1="${left}" y1="${base}" x2="${width}" y2="${base}"></line>
    <text x="${left - 6}" y="20" text-anchor="end">${most}</text><text x="${left - 6}" y="${base}" text-anchor="end">0</text>
    ${bars}
    <text x="${left}" y="${height - 6}">${shown(first, length)}</text>
    ${steps.length > 1 ? html`<text x="${width}" y="${height - 6}" text-anchor="end">${shown(last, length)}</text>` : ''}
  </svg>
  <ul class="legend">${paperNames
    .filter((name) => steps.some(({ counts }) => counts[name] > 0))
    .map(
      (name) =>
        html`<li><svg viewBox="0 0 12 12" aria-hidden="true"><rect class="${name}" width="12" height="12"></rect></svg>${words[name]}</li>`,
    )}</ul>
  <p class="quiet">Rows by the time of their first attempt; one bar is ${barInWords}.</p>`
}
