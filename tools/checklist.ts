/**
 * `npm run checklist [-- --full] [--locales en,hk,ca,de,fr,it,pt]`
 *
 * Opens every path and checks what `web/test/checklist.ts` names for it, as the suite does. `--full`: every language in both sizes and
 * both themes, with accessibility checks in each language, and a picture of each screen and a contact sheet in `look/`.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser } from './browser.ts'
import { writeContactSheet } from './contact-sheet.ts'
import { root } from './tidy/files.ts'

const folder = join(root, 'look')
const { values } = parseArgs({ options: { full: { type: 'boolean', default: false }, locales: { type: 'string' } } })
const environment: NodeJS.ProcessEnv = { ...process.env, CHROME_PATH: findBrowser() }
if (values.locales !== undefined) environment.CANDOR_LOCALES = values.locales
if (values.full) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  Object.assign(environment, { CANDOR_CHECKLIST: 'full', CANDOR_PICTURES: folder })
}
const done = spawnSync(process.execPath, ['--test', '--test-name-pattern=every screen', join(root, 'web', 'test', 'screens.test.ts')], {
  cwd: root,
  stdio: 'inherit',
  env: environment,
})
if (values.full) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.png'))
  writeContactSheet(folder, names.toSorted())
  process.stdout.write(`${names.length} pictures and index.html in look/\n`)
}
process.exit(done.status ?? 1)
