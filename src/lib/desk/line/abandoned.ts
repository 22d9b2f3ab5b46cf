/** Work that is not waited for any more when a signal fires. */

/** Resolves or rejects as the work does; rejects with the signal's reason when it fires first, and leaves the work to itself. */
export async function unlessAbandoned<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let abandon: () => void = () => undefined
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => reject(signal.reason)
  })
  signal.addEventListener('abort', abandon, { once: true })
  if (signal.aborted) abandon()
  try {
    // Behind the signal it makes no difference that the work is done already.
    return await Promise.race([abandoned, work])
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}
