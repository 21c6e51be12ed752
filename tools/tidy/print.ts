/** Writes the pages that are printed from tables of the code. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { page as architecturePage, printed as printedArchitecture } from './architecture.ts'
import { page as refusalPage, printed as printedRefusals } from './catalogue.ts'
import { root } from './files.ts'

writeFileSync(join(root, refusalPage), printedRefusals())
writeFileSync(join(root, architecturePage), printedArchitecture(readFileSync(join(root, architecturePage), 'utf8')))
