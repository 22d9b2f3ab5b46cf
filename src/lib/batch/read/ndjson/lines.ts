/** The lines of a text that comes in pieces. */
import { BrokenFile } from '../broken.ts'

const longestLine = 1024 * 1024

/** The lines in groups, without their ends; a last line may lack its end. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let kept = ''
  for await (const piece of text) {
    const lines = (kept + piece).split('\n')
    kept = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    if (kept.length > longestLine) throw new BrokenFile('is longer than 1 MiB')
  }
  if (kept !== '') yield [kept]
}
