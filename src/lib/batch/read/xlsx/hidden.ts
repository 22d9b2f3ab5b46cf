/** The rows and columns of a sheet that a person does not see. */
import type { SaxesTagNS } from 'saxes'
import { BrokenFile } from '../broken.ts'
import { attribute } from './namespaces.ts'
import { lettersOf } from './places.ts'

function isTrue(text: string | null): boolean {
  return text !== null && /^(?:1|true|on)$/.test(text)
}

/** True for a height or a width of nothing. */
function isNothing(size: string | null): boolean {
  return size !== null && Number(size) === 0
}

export class Hidden {
  #areRows = false
  readonly #columns: (readonly [first: number, last: number])[] = []

  /** Looks at what stands before the rows. */
  look(tag: SaxesTagNS): void {
    if (tag.local === 'sheetFormatPr') {
      this.#areRows ||= isTrue(attribute(tag, 'zeroHeight')) || isNothing(attribute(tag, 'defaultRowHeight'))
    }
    if (tag.local !== 'col') return
    const isHidden = isTrue(attribute(tag, 'hidden')) || isNothing(attribute(tag, 'width'))
    if (isHidden) this.#columns.push([Number(attribute(tag, 'min')) - 1, Number(attribute(tag, 'max')) - 1])
  }

  /** True for a row that is hidden, by itself or as all are that do not say otherwise. */
  isRow(tag: SaxesTagNS): boolean {
    const hidden = attribute(tag, 'hidden')
    return isTrue(hidden) || isNothing(attribute(tag, 'ht')) || (this.#areRows && hidden === null)
  }

  /** Throws a BrokenFile for something in a column that is hidden. Columns count from 0. */
  mustShow(column: number): void {
    if (!this.#columns.some(([first, last]) => column >= first && column <= last)) return
    throw new BrokenFile(
      `has something in column ${lettersOf(column)}, which is hidden: show it, or delete it`,
      'as a whole',
    )
  }
}
