/** The end of a reading: a file cannot be read from here on, and what is wrong is no fault of a single value. */
export class BrokenFile extends Error {
  /** True if the row that was to come is meant; else the file as a whole. */
  readonly hasRow: boolean

  /** `why` follows the name of the file, or of the row. */
  constructor(why: string, where: 'in a row' | 'as a whole' = 'in a row') {
    super(why)
    this.hasRow = where === 'in a row'
  }
}
