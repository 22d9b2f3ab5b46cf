import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { openApiDocument, openApiPath } from '../../lib/sandbox/openapi/document.ts'

type Document = ReturnType<typeof openApiDocument>

export default class SandboxOpenapi extends PaydeskCommand<Document> {
  static override summary = 'Describe the whole service as OpenAPI 3.1, made from the contract.'
  static override description =
    `A sandbox that runs shows the same at ${openApiPath}, without a token. What is sealed is described as its envelope; \`x-payload\` names the schema of what lies inside.`
  static override examples = [
    '<%= config.bin %> sandbox openapi > openapi.json',
    "<%= config.bin %> sandbox openapi --query 'keys(paths)'",
  ]

  async run(): Promise<Document> {
    await this.parse(SandboxOpenapi)
    return openApiDocument()
  }

  protected override view(document: Document): View {
    return [{ kind: 'text', text: JSON.stringify(document, null, 2) }]
  }
}
