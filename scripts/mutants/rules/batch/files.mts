/** Files of payouts: rows that would be paid twice, or for another sum than the file says. */
import { lib } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const pain = 'test/lib/batch/read/pain001/pain001.test.ts'
const csv = 'test/lib/batch/read/csv/csv.test.ts'
const rows = 'test/lib/batch/read/read.test.ts'

const map = 'test/lib/batch/read/rows/map.test.ts'
const xlsx = 'test/lib/batch/read/xlsx/xlsx.test.ts'

export const files: readonly Mutant[] = [
  {
    name: 'a key may have characters that nobody sees, if Unicode calls them letters or marks',
    rule: 'What reads the same is the same payment.',
    changes: [{ in: 'isBusinessKey', find: '!unseen.test(key)', put: 'true' }],
    killers: ['test/lib/contract/core/business-key.test.ts'],
  },
  {
    name: 'of two columns of keys the first is taken without a word',
    rule: 'Nothing is guessed: two columns of one meaning are refused.',
    changes: [{ in: 'Drawing.contradictions', find: 'keys.slice(1)', put: 'keys.slice(2)' }],
    killers: [map],
  },
  {
    name: 'of two constants of one field the last is taken without a word',
    rule: 'Nothing is guessed: two constants of one meaning are refused.',
    changes: [{ in: 'Drawing.mapped', find: 'Object.hasOwn(this.constants, given)', put: 'false' }],
    killers: [map],
  },
  {
    name: 'an entry that the directory of a workbook does not name is passed over',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'inTheirPlaces', find: 'at !== end', put: 'at < end' }],
    killers: [xlsx],
  },
  {
    name: 'of two entries of one name one is taken',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'entriesNamedIn', find: 'names.size < named.length', put: 'false' }],
    killers: [xlsx],
  },
  {
    name: 'an altered part of a workbook is read',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'Unpacking.end', find: 'this.#check !== this.#entry.check', put: 'false' }],
    killers: [xlsx],
  },
  {
    name: 'elements of any namespace are read',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'Within.open', find: 'this.#namespaces.includes(tag.uri)', put: 'true' }],
    killers: [xlsx],
  },
  {
    name: 'attributes of any namespace are read',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'attribute', find: "uri === ''", put: 'true' }],
    killers: [xlsx],
  },
  {
    name: 'the digits of a number are a key, however they are shown',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'NumberFormats.aboutDigits', find: 'isBare && $plain', put: 'true' }],
    killers: [xlsx],
  },
  {
    name: 'a sum is read that its format hides or scales',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'NumberFormats.aboutSum', find: "shown.kind !== 'number'", put: 'false' }],
    killers: [xlsx],
  },
  {
    name: 'merged cells are read as if they were apart',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'SheetReader.#mustBeApart', find: '!isOverRows || area?.isOne', put: 'true' }],
    killers: [xlsx],
  },
  {
    name: 'a cell that stands twice is read, or one of another row',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [
      {
        in: 'SheetReader.#openCell',
        find: 'place?.row !== row.number || place.column < row.cells.length',
        put: 'place === null',
      },
    ],
    killers: [xlsx],
  },
  {
    name: 'a hidden column is read',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'Hidden.mustShow', find: '!this.#columns.some($within)', put: 'true' }],
    killers: [xlsx],
  },
  {
    name: 'rows that are hidden by the sheet are read',
    rule: 'A workbook is read as a spreadsheet shows it, or refused.',
    changes: [{ in: 'Hidden.isRow', find: 'this.#areRows && hidden === null', put: 'false' }],
    killers: [xlsx],
  },
  {
    name: 'a cell without a place among the shared texts has the first of them',
    rule: 'A text of another row is never read.',
    changes: [{ in: 'SheetReader.#shared', find: '/^\\d{1,9}$/.test(value)', put: 'true' }],
    killers: [xlsx],
  },
  {
    name: 'a file that belongs to another user is believed',
    rule: 'Keys, addresses and journals are believed where nobody but this user and root may write them.',
    changes: [{ in: 'othersMayWrite', find: 'uid !== 0', put: 'uid < 0' }],
    killers: [lib('readable-file')],
  },
  {
    name: 'a file in another encoding is sent damaged',
    rule: 'A text that cannot be read to the letter is not sent.',
    changes: [{ in: 'textIn', find: 'isUtf8(bytes)', put: 'bytes.length >= 0' }],
    killers: [lib('cli/input/request-file')],
  },
  {
    name: 'a key that stands twice in a file is two payments',
    rule: 'A key twice in one file is a complaint.',
    changes: [{ in: 'RowMaker.#aboutKey', find: 'before === null ? null : $words', put: 'null' }],
    killers: [rows],
  },
  {
    name: 'a count that does not agree is taken',
    rule: 'NbOfTxs must agree, at both levels.',
    changes: [{ in: 'Counted.aboutCount', find: 'says === undefined || $same', put: 'true' }],
    killers: [pain],
  },
  {
    name: 'a control sum that does not agree is taken',
    rule: 'CtrlSum must agree, at both levels.',
    changes: [{ in: 'Counted.aboutSum', find: 'scaled(says) === this.#sum', put: 'true' }],
    killers: [pain],
  },
  {
    name: 'a payment of a later day is paid today',
    rule: 'ReqdExctnDt in the future is refused: the service has no such thing.',
    changes: [{ in: 'isLater', find: 'plain.slice(0, 10) > dayAtService(now)', put: 'false' }],
    killers: [pain],
  },
  {
    name: 'a DOCTYPE is passed over',
    rule: 'Entities and DTDs are refused.',
    changes: [
      {
        in: 'Xml.constructor',
        find: "throw new BrokenFile('has a DOCTYPE, which is refused: it could define entities', 'as a whole')",
        put: 'this.#heard()',
      },
    ],
    killers: [pain],
  },
  {
    name: 'the damage of a spreadsheet is not looked for',
    rule: 'The damage of spreadsheets is named: lost zeros, short forms of long numbers, errors.',
    changes: [{ in: 'filledFrom', find: 'numbers === null ? null : $look', put: 'null' }],
    killers: ['test/lib/batch/read/xlsx/xlsx.test.ts'],
  },
  {
    name: 'a column that means nothing is left out without a word',
    rule: 'Nothing is guessed: a header that is mistyped would leave its field out of every row.',
    changes: [
      {
        in: 'Drawing.#plain',
        find: 'this.#complain(header, this.#unknownColumn(), at)',
        put: 'undefined',
      },
    ],
    killers: [csv],
  },
]
