/** The version of a pain.002 that answers each version of a pain.001, with its order of elements. */
import type { PainVersion } from '../../read/row.ts'

const answers: Readonly<Record<PainVersion, string>> = {
  'pain.001.001.03': 'pain.002.001.03',
  'pain.001.001.09': 'pain.002.001.10',
}

/** The beginning and the end of the answer's document. */
export function frameOf(version: PainVersion): readonly [begin: string, end: string] {
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${answers[version]}`
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}"><CstmrPmtStsRpt>\n`,
    '</CstmrPmtStsRpt></Document>\n',
  ]
}

/** The whole document around what it says. */
export function answering(version: PainVersion, inside: string): string {
  return frameOf(version).join(inside)
}
