/** pain.001 (ISO 20022, customer credit transfer initiation), versions 001.001.03 and 001.001.09. */
import { textOf } from '../bytes/text.ts'
import type { OpenedFile, ReadingOptions } from '../options.ts'
import { type BatchFile, type BatchRow, type Complaint, complaintAt } from '../row.ts'
import { lastComplaint, onlyComplaints } from '../rows/table.ts'
import { Xml } from '../xml/xml.ts'
import { xmlEncodingOf } from './encoding.ts'
import { descriptionBy, painHeaders } from './payment.ts'
import { PainReader } from './reader.ts'
import { Walk } from './walk.ts'

async function* rowsOf(text: AsyncIterable<string>, reader: PainReader): AsyncGenerator<BatchRow | Complaint> {
  const xml = new Xml(new Walk(reader))
  try {
    for await (const piece of text) {
      xml.write(piece)
      yield* reader.taken()
    }
    xml.end()
    yield* reader.taken()
  } catch (error) {
    const last = lastComplaint(error, null)
    yield* reader.taken()
    yield last
  }
}

export async function readPain001({ name, bytes }: OpenedFile, options: ReadingOptions): Promise<BatchFile> {
  const about = { name, format: 'pain.001', delimiter: null } as const
  const encoding = xmlEncodingOf(bytes.start)
  const describe = options.map === null ? null : descriptionBy(options.map)
  const keyless = 'is a pain.001, which has no columns: leave --key-column out; EndToEndId is the key'
  const why = options.keyColumn !== null ? keyless : describe !== null && 'why' in describe ? describe.why : null
  if ('why' in encoding || why !== null || (describe !== null && 'why' in describe)) {
    await bytes.all[Symbol.asyncIterator]().return?.()
    const message = why ?? ('why' in encoding ? encoding.why : '')
    return { ...about, encoding: 'none', ...onlyComplaints([complaintAt({}, message)]) }
  }
  const reader = new PainReader(options, describe)
  const text = textOf(bytes.all, encoding.label, encoding.mark)
  return {
    ...about,
    encoding: encoding.label,
    headers: painHeaders,
    rows: rowsOf(text, reader),
    told: () => reader.told(),
  }
}
