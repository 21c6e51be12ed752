/**
 * `npm run browsers -- [--browser firefox|webkit] [--locales en,de]`
 *
 * The journeys of a new person, and every path, in Firefox and WebKitGTK from the distribution's packages, at the size of a phone; a
 * browser that the machine lacks is named and left out. Writes pictures and a contact sheet to `look/`.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserName, browserNames, installed, packages, titles } from './browsers/installed.ts'
import { root } from './tidy/files.ts'

const { values } = parseArgs({ options: { browser: { type: 'string' }, locales: { type: 'string', default: 'en,de' } } })
const wanted = browserNames.filter((name) => values.browser === undefined || values.browser === name)
if (wanted.length === 0) throw new Error(`--browser is one of ${browserNames.join(', ')}`)

const there = installed()
const isThere = (name: BrowserName): boolean => there[name] !== undefined
for (const name of wanted.filter((one) => !isThere(one)))
  process.stdout.write(`${titles[name]}: skipped, not on this machine. Debian: apt-get install ${packages[name]}\n`)

const browsers = wanted.filter(isThere)
if (browsers.length > 0) {
  const folder = join(root, 'look')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Loads a whole exchange, which a machine without these browsers doesn't need.
  const { runAll } = await import('./browsers/run.ts')
  const faults = await runAll({ browsers, there, langs: values.locales.split(','), folder })
  process.stdout.write(faults.length === 0 ? 'no faults\n' : `${faults.join('\n')}\n${faults.length} faults\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
