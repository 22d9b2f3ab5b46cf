/** The page that the script stands in. */

export function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}

export const searchField = document.querySelector<HTMLInputElement>('#q')

/** Where an event comes from. */
export function elementOf({ target }: Event): HTMLElement | null {
  return target instanceof HTMLElement ? target : null
}
