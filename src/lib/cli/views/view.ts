/** A result as people see it: a few blocks, drawn for the width they have. */
import type { ChalkInstance } from 'chalk'
import { visible } from '../../visible.ts'
import type { Block } from '../drawing/block.ts'
import type { Canvas } from '../drawing/canvas.ts'
import { drawnFacts } from '../drawing/facts.ts'
import { drawnTable } from '../drawing/table.ts'
import { qrCode } from './qr.ts'

export type View = readonly Block[]

/** The blocks as text without a trailing newline. `isPiped`: a program reads it, or a file keeps it. */
export function drawn(
  view: View,
  width: number,
  ink: ChalkInstance,
  isPiped = false,
  zone: Canvas['zone'] = null,
): string {
  const canvas: Canvas = { width, ink, isPiped, zone }
  return view
    .map((block) => {
      if (block.kind === 'drawn') return block.draw(isPiped ? null : width, ink)
      if (block.kind === 'facts') return drawnFacts(block, canvas)
      if (block.kind === 'qr') return qrCode(block.modules, width, ink)
      return block.kind === 'table' ? drawnTable(block, canvas) : block.text.split('\n').map(visible).join('\n')
    })
    .join('\n\n')
}
