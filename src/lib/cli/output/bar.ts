/** A line on the terminal of a person that is drawn over itself, on stderr; it leaves nothing behind. */
import type { SingleBar } from 'cli-progress'
import type { Edge } from '../../edge.ts'

/** `format`: text with figures in braces, and `{bar}`. */
export async function plainBar({ stderr }: Pick<Edge, 'stderr'>, format: string): Promise<SingleBar> {
  const { SingleBar: Bar, Presets } = (await import('cli-progress')).default
  return new Bar(
    {
      stream: stderr as NodeJS.WriteStream,
      format,
      barsize: 20,
      hideCursor: null,
      clearOnComplete: true,
      fps: 8,
    },
    Presets.shades_classic,
  )
}
