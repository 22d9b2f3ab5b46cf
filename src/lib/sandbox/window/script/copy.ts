/** Copies what a button bears. */
import { sayForAWhile } from './signs.ts'

export async function copy({ dataset, textContent }: HTMLElement): Promise<void> {
  const what = textContent?.replace('Copy ', '') ?? ''
  try {
    await navigator.clipboard.writeText(dataset.copy ?? '')
    sayForAWhile(`Copied as ${what}.`, true)
  } catch {
    sayForAWhile('The browser does not let this page copy.', false)
  }
}
