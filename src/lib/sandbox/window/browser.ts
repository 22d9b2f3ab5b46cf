/** As much of a browser as the script of the window uses. The whole of it would give every file of the program a `document`. */

export interface PageElement {
  readonly id: string
  readonly dataset: Readonly<Record<string, string | undefined>>
  readonly href: string
  readonly action: string
  innerHTML: string
  textContent: string
  className: string
  value: string
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
  matches(selector: string): boolean
  closest(selector: string): PageElement | null
  cloneNode(deep: true): PageElement
  focus(options?: { readonly preventScroll: boolean }): void
  blur(): void
  select(): void
  click(): void
  showModal(): void
  requestSubmit(): void
  addEventListener(name: string, hear: (happening: Happening) => void): void
}

/** Any event; what belongs to another kind of event is missing. */
export interface Happening {
  readonly target: PageElement
  readonly submitter: PageElement | null
  readonly key: string
  readonly button: number
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  preventDefault(): void
}

export interface Page {
  readonly body: PageElement
  readonly activeElement: PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
  getElementById(id: string): PageElement | null
  addEventListener(name: string, hear: (happening: Happening) => void): void
}

export interface Browser {
  readonly document: Page
  readonly location: { readonly href: string }
  readonly history: {
    pushState(state: null, unused: '', address: string): void
    replaceState(state: null, unused: '', address: string): void
  }
  readonly DOMParser: new () => { parseFromString(text: string, type: 'text/html'): Page }
  readonly EventSource: new (address: string) => { addEventListener(name: string, hear: () => void): void }
  readonly FormData: new (form: PageElement, submitter: PageElement | null) => Iterable<[string, string]>
  addEventListener(name: 'popstate', hear: () => void): void
}
