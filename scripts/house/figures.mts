/** The figures of the tree, and the places that each of them counts. */

import { casts } from './casts.mts'
import { citations } from './citations.mts'
import { contractIn } from './contract.mts'
import { type Figure, type FigureName, limits } from './limits.mts'
import { meanings } from './meanings.mts'
import { operationsNamed, statusesNamed } from './named.mts'
import { median, type Place, type Sized } from './place.mts'
import { questions } from './questions.mts'
import { files, folders, functions } from './sizes.mts'
import type { Source } from './source.mts'
import { suppressions } from './suppressions.mts'
import type { Tree } from './tree.mts'

/** The largest, and how many are over the limit. */
function sized(largest: FigureName, over: FigureName, sizes: readonly Sized[]): readonly Figure[] {
  const places = sizes.filter(({ size }) => size > limits[largest].target)
  return [{ name: largest, value: sizes[0]?.size ?? 0, places: places.slice(0, 1) }, counted(over, places)]
}

const counted = (name: FigureName, places: readonly Place[]): Figure => ({ name, value: places.length, places })

/** Tests of these figures write sources of their own, which cite as they please. */
const isCiting = ({ path }: Source) => !path.startsWith('test/house/')

export function figuresOf({ program, programPaths, src, all, exists }: Tree): readonly Figure[] {
  const contract = contractIn(src)
  return [
    ...sized('files in the fullest folder', 'folders over 15 files', folders(programPaths)),
    ...sized('lines of the longest file', 'files over 200 lines', files(program)),
    ...sized('lines of the longest function', 'functions over 60 lines', functions(program)),
    counted('names with several meanings', meanings(src)),
    counted('forced casts', casts(all)),
    counted('suppressions', suppressions(all)),
    counted('comments with a question word first', questions(src)),
    counted('citations of what is not there', citations(all.filter(isCiting), exists)),
    counted('operations named outside', operationsNamed(src, contract)),
    counted('statuses named outside', statusesNamed(src, contract)),
  ]
}

/** Of the program: half of its files and functions are no longer than this. */
export function medians({ src }: Tree): { readonly file: number; readonly function: number } {
  return { file: median(files(src)), function: median(functions(src)) }
}
