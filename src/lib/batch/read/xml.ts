/**
 * A strict XML parser for streams, with namespaces. A DOCTYPE is refused, so that no entity is ever expanded. Depth, attributes and
 * the text between two tags are limited.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { BrokenFile } from './file.ts'

export interface XmlListener {
  open(tag: SaxesTagNS): void
  text(text: string): void
  close(): void
}

const deepest = 64

/** Characters without the end of a tag, a text or a comment. */
const longestSilence = 1024 * 1024

const most = { attributes: 64 }

export class Xml {
  readonly #parser = new SaxesParser({ xmlns: true, position: true })
  #silence = 0
  #depth = 0

  constructor(listener: XmlListener) {
    const parser = this.#parser
    parser.on('error', (error) => {
      const [, line = '', column = '', why = error.message] = /^(\d+):(\d+): ([\s\S]*)$/.exec(error.message) ?? []
      throw new BrokenFile(`is not well-formed XML: line ${line}, column ${column}: ${why}`, 'as a whole')
    })
    parser.on('doctype', () => {
      throw new BrokenFile('has a DOCTYPE, which is refused: it could define entities', 'as a whole')
    })
    for (const event of ['comment', 'processinginstruction', 'xmldecl'] as const) parser.on(event, () => this.#heard())
    parser.on('opentagstart', () => {
      this.#depth += 1
      if (this.#depth > deepest) throw new BrokenFile(`is nested deeper than ${deepest} elements`, 'as a whole')
    })
    let attributes = 0
    parser.on('attribute', () => {
      attributes += 1
      if (attributes > most.attributes) throw new BrokenFile('has an element with too many attributes', 'as a whole')
    })
    parser.on('opentag', (tag) => {
      attributes = 0
      this.#heard()
      listener.open(tag)
    })
    parser.on('text', (text) => {
      this.#heard()
      listener.text(text)
    })
    parser.on('cdata', (text) => {
      this.#heard()
      listener.text(text)
    })
    parser.on('closetag', () => {
      this.#depth -= 1
      this.#heard()
      listener.close()
    })
  }

  #heard(): void {
    this.#silence = 0
  }

  /** Throws a BrokenFile for wrong XML, or for more than the limits. */
  write(piece: string): void {
    this.#silence += piece.length
    this.#parser.write(piece)
    if (this.#silence > longestSilence) {
      throw new BrokenFile('has a text or a tag that is longer than 1 MiB', 'as a whole')
    }
  }

  end(): void {
    this.#parser.close()
  }
}

/** Gets the elements of some namespaces, each with its path from the root, such as `sst/si/t`. */
export interface PathListener {
  open?(path: string, tag: SaxesTagNS): void
  text?(path: string, text: string): void
  close?(path: string): void
  /** An element of another namespace inside of `path`. It is passed over with everything inside, unless this throws. */
  foreign?(path: string): void
}

/** A parser that gives paths. `isOwn`: true for a namespace of the listener. */
export function pathParser(listener: PathListener, isOwn: (namespace: string) => boolean): Xml {
  const paths: string[] = []
  /** The depth of elements that are passed over. */
  let passed = 0
  const path = () => paths.at(-1) ?? ''
  return new Xml({
    open(tag) {
      if (passed === 0 && isOwn(tag.uri)) {
        paths.push(paths.length === 0 ? tag.local : `${path()}/${tag.local}`)
        listener.open?.(path(), tag)
        return
      }
      if (passed === 0) listener.foreign?.(path())
      passed += 1
    },
    text(text) {
      if (passed === 0) listener.text?.(path(), text)
    },
    close() {
      if (passed > 0) {
        passed -= 1
        return
      }
      const closed = paths.pop() ?? ''
      listener.close?.(closed)
    },
  })
}

export class Values {
  readonly #texts = new Map<string, string[]>()

  add(name: string, text: string): void {
    const known = this.#texts.get(name)
    if (known) known.push(text)
    else this.#texts.set(name, [text])
  }

  has(name: string): boolean {
    return this.#texts.has(name)
  }

  all(name: string): readonly string[] {
    return this.#texts.get(name) ?? []
  }

  one(name: string): string | undefined {
    return this.#texts.get(name)?.[0]
  }
}
