/** The encoding of an XML file: its mark of byte order, or what its first line declares. */
import { markOf } from '../bytes/text.ts'

export interface XmlEncoding {
  /** As a TextDecoder knows it. */
  readonly label: string
  /** Bytes of the mark. */
  readonly mark: number
}

/** The encoding, or why the file cannot be read. */
export function xmlEncodingOf(start: Buffer): XmlEncoding | { readonly why: string } {
  const mark = markOf(start)
  const first = start.toString('latin1', mark?.length ?? 0, 1024)
  const [, declared = null] = /^<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(first) ?? []
  if (mark && mark.encoding !== 'UTF-8') return { label: mark.encoding, mark: mark.length }
  const named = declared ?? 'UTF-8'
  if (mark && !/^utf-?8$/i.test(named)) {
    return { why: `declares the encoding ${named}, and begins with the mark of UTF-8: one of the two is wrong` }
  }
  if (/^utf-?16/i.test(named)) return { why: `declares the encoding ${named}, and its bytes are none of it` }
  try {
    const label = new TextDecoder(named).encoding === 'utf-8' ? 'UTF-8' : named
    return { label, mark: mark?.length ?? 0 }
  } catch {
    return { why: `declares the encoding ${named}, which is not known` }
  }
}
