/**
 * Comments that open with a question word, or with a person who is not known: "What the service says" is its answer, "Whoever
 * opens it" the next reader. A noun or a verb there is understood in one reading.
 */
import type { Place } from './place.mts'
import type { Comment, Source } from './source.mts'

const opening = /^[\s*]*(wh(?:at|atever|ether|o|oever|om|ose|y|ich)|how|(?:no|some|any|every)body)\b/i

/** Further `//` lines of the comment before them open nothing: a line breaks where it is full. */
function goesOn({ start }: Comment, before: Comment | undefined, { text, lineOf }: Source): boolean {
  const isLine = (at: number) => text.startsWith('//', at)
  return before !== undefined && isLine(start) && isLine(before.start) && lineOf(before.start) === lineOf(start) - 1
}

export function questions(sources: readonly Source[]): readonly Place[] {
  return sources.flatMap((source) =>
    source.comments.flatMap((comment, index) => {
      const [, word] = opening.exec(comment.text) ?? []
      if (word === undefined || goesOn(comment, source.comments[index - 1], source)) return []
      return [{ at: source.at(comment.start), what: word }]
    }),
  )
}
