/** The values of the group header, a block or a payment, by their paths, and what is wrong with them. */
export class Scope {
  readonly values = new Map<string, string[]>()
  readonly wrong = new Map<string, string>()
  currency: string | null = null

  one(path: string): string | undefined {
    return this.values.get(path)?.[0]
  }

  add(path: string, text: string): void {
    const known = this.values.get(path)
    if (known) known.push(text)
    else this.values.set(path, [text])
  }
}
