import { z } from 'zod'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { textView } from '../../lib/cli/output/view.ts'
import { openApiDocument, openApiPath } from '../../lib/sandbox/openapi.ts'

type Document = ReturnType<typeof openApiDocument>

const openApi = z
  .strictObject({
    openapi: z.literal('3.1.0'),
    info: z.looseObject({}),
    servers: z.array(z.unknown()),
    tags: z.array(z.unknown()),
    paths: z.looseObject({}).describe('By path and method; `operationId` is the name of the operation.'),
    webhooks: z.looseObject({}).describe('The callbacks that it sends.'),
    components: z.looseObject({}),
  })
  .describe('An OpenAPI 3.1 document.')

export default class SandboxOpenapi extends PaydeskCommand<Document> {
  static override summary = 'Print the service as OpenAPI 3.1.'
  static override description =
    `A running sandbox serves the same at ${openApiPath}. A sealed body is described as its envelope; \`x-payload\` names the schema of the content.`
  static override examples = [
    '<%= config.bin %> sandbox openapi > openapi.json',
    "<%= config.bin %> sandbox openapi --query 'keys(paths)'",
  ]

  static override readonly result = () => openApi

  async run() {
    await this.parse(SandboxOpenapi)
    return openApiDocument()
  }

  protected override readonly view = (document: Document) => textView(JSON.stringify(document, null, 2))
}
