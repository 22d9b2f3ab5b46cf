// The OpenAPI document as a judge: of a value, against one of its schemas.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { writeJson } from '../../../src/lib/json.ts'
import { openApiDocument } from '../../../src/lib/sandbox/openapi.ts'

type Json = Readonly<Record<string, never>>

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** As a program reads it. */
export const openApi = JSON.parse(writeJson(openApiDocument())) as OpenApi

/** The same, where a member that is not described does not fit. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).map(([name, value]) => [name, closed(value)])
  const isClosable = 'properties' in schema && !('additionalProperties' in schema)
  return { ...Object.fromEntries(members), ...(isClosable ? { additionalProperties: false } : {}) }
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema({ $id: 'open', ...openApi })
ajv.addSchema({ $id: 'closed', ...(closed(openApi) as OpenApi) })

function judge(document: string, component: string, value: unknown): string | null {
  const validate = ajv.compile({ $ref: `${document}#/components/schemas/${component}` })
  const plain = typeof value === 'string' ? value : writeJson(value)
  return validate(JSON.parse(plain)) ? null : `${component}: ${ajv.errorsText(validate.errors)} in ${plain}`
}

/** The reasons why a value, or a JSON text, does not fit a component. */
export function unfit(component: string, value: unknown): string | null {
  return judge('open', component, value)
}

/** The same where nothing may be there that the component does not describe. */
export function unfitOrMore(component: string, value: unknown): string | null {
  return judge('closed', component, value)
}
