/** The time of a command: it stands still while a request waits for its place among others. */
import type { Line } from '../desk.ts'

/** Milliseconds that the line waits for its place from now on. */
export function waitedSince({ place }: Pick<Line, 'place'>): () => number {
  if (!place) return () => 0
  const before = place.waited
  return () => place.waited - before
}

/** A deadline of now, as it moves on while the line waits for its place. Milliseconds since 1970. */
export function moving(line: Pick<Line, 'place'>, deadline: number): () => number {
  const waited = waitedSince(line)
  return () => deadline + waited()
}
