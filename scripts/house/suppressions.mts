/** Comments that silence a tool. One that only speaks of such a comment silences nothing, and does not count. */
import { byLine, type Place } from './place.mts'
import type { Source } from './source.mts'

const silencing = /^[\s*]*(biome-ignore(?:-\w+)?|@ts-(?:ignore|expect-error|nocheck)|eslint-disable(?:-[\w-]+)?)/

export function suppressions(sources: readonly Source[]): readonly Place[] {
  return byLine(
    sources.flatMap(({ comments, at }) =>
      comments.flatMap(({ text, start }) => {
        const [, directive] = silencing.exec(text) ?? []
        return directive === undefined ? [] : [{ at: at(start), what: directive }]
      }),
    ),
  )
}
