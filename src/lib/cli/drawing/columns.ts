/** The columns of a terminal; undefined where it tells none, or 0, as one does that nobody has given a size. */
export function toldColumns({ columns }: { readonly columns?: number }): number | undefined {
  return columns || undefined
}
