/** The OpenAPI document at its address, for programs that ask a running sandbox: with the codes that this world takes. */

import { jsonHeaders } from '../../client/answer.ts'
import { writeJson } from '../../json.ts'
import { responseOf, type SandboxPage } from '../server/page.ts'
import type { Service } from '../service.ts'
import { openApiDocument } from './document.ts'

/** The address at which a sandbox shows it, without a token. */
export const openApiPath = '/_sandbox/openapi.json'

export const openApiPage =
  ({ around }: Pick<Service, 'around'>): SandboxPage =>
  (app) => {
    app.get(openApiPath, async () => {
      const { providers } = (await around()).settings
      return responseOf({ status: 200, headers: jsonHeaders, body: writeJson(openApiDocument(providers)) })
    })
  }
