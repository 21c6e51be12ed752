/** Writes the pages that are printed from tables of the code. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { printedClient } from '../program-client.ts'
import { page as architecturePage, printed as printedArchitecture } from './architecture.ts'
import { page as refusalPage, printed as printedRefusals } from './catalogue.ts'
import { printedProductionPage } from '../../server/main/production.ts'
import { root } from './files.ts'

writeFileSync(join(root, refusalPage), printedRefusals())
writeFileSync(join(root, architecturePage), printedArchitecture(readFileSync(join(root, architecturePage), 'utf8')))
writeFileSync(join(root, 'docs', 'production.md'), printedProductionPage())
for (const [path, text] of printedClient()) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
