/** HTTP messages as plain data: what a wire makes and reads, what the transport carries, what the sandbox answers. */

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below the base URL, with a leading slash and without query. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface HttpAnswer {
  readonly status: number
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Path and query as they stand in the start line. */
export function target(request: HttpRequest): string {
  const query = request.query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return query.length > 0 ? `${request.path}?${query.join('&')}` : request.path
}
