/** Writes the pages that are printed from tables of the code. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { printedProductionPage } from '../../server/main/production.ts'
import { examples } from '../cluster/texts/examples.ts'
import { printedClient } from '../program-client.ts'
import { page as apiPage, printed as printedApi } from './api-codes.ts'
import { page as appApiPage, printed as printedAppApi } from './app-api.ts'
import { page as architecturePage, printed as printedArchitecture } from './architecture.ts'
import { page as refusalPage, printed as printedRefusals } from './catalogue.ts'
import { root } from './files.ts'
import { page as securityPage, printed as printedSecurity } from './security.ts'

const pages: ReadonlyMap<string, string> = new Map([
  [refusalPage, printedRefusals()],
  [architecturePage, printedArchitecture()],
  [apiPage, printedApi()],
  [appApiPage, await printedAppApi()],
  [securityPage, printedSecurity()],
  ['docs/production.md', printedProductionPage()],
  ...printedClient(),
  ...examples(),
])

for (const [path, content] of pages) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}
