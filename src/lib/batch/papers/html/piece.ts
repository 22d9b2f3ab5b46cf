/** A piece of the report's page: what stands in it is escaped. */
import type { html } from 'hono/html'

export type ReportHtml = ReturnType<typeof html>
