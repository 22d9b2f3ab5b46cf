/** The page that the script stands in. */

export function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}

export const searchField = document.querySelector<HTMLInputElement>('#q')

/** The element from which an event comes. */
export function elementOf({ target }: Event): HTMLElement | null {
  return target instanceof HTMLElement ? target : null
}
