/** Opening an address in the browser of the person at this machine. */

/** Null if it was opened; else why not. Only web addresses are: what else an answer may hold could start any program. */
export async function openInBrowser(address: string): Promise<string | null> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return `${address} is no web address`
  try {
    const { default: open } = await import('open')
    const opener = await open(url.href)
    // A browser that is missing reports it later, when the command has gone on.
    opener.on('error', () => undefined)
    return null
  } catch (error) {
    return `the browser could not be opened: ${error instanceof Error ? error.message : String(error)}`
  }
}
