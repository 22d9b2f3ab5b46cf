/**
 * The parser of answers is WebAssembly, which Node compiles anew, to run faster, when it has run for long enough. For Node 20
 * that is within the first answer: a tenth of a second of work that a command waits for before it can end. Node 22 counts in
 * another way, and begins after some two hundred answers.
 */
import { setFlagsFromString } from 'node:v8'

/** As Node 20 counts: more than a hundred answers. */
const budget = 500_000_000

/** To be called before the first request. */
export function compileParserLater(): void {
  if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString(`--wasm-tiering-budget=${budget}`)
}
