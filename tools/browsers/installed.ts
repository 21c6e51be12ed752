/** Finds the browsers of the distribution on this machine. */
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const browserNames = ['firefox', 'webkit'] as const
export type BrowserName = (typeof browserNames)[number]

export type Installed = {
  readonly firefox?: { readonly program: string }
  readonly webkit?: { readonly driver: string; readonly program: string; readonly display: string | undefined }
}

/** The packages of Debian that a browser comes with. */
export const packages: Readonly<Record<BrowserName, string>> = { firefox: 'firefox-esr', webkit: 'webkit2gtk-driver xvfb' }
export const titles: Readonly<Record<BrowserName, string>> = { firefox: 'Firefox', webkit: 'WebKitGTK' }

/** `display`: an X server that is already there. WebKitGTK needs one, or Xvfb to start its own. */
export function installed({ PATH = '', DISPLAY = '' }: NodeJS.ProcessEnv = process.env): Installed {
  const find = (...names: readonly string[]): string | undefined =>
    names
      .flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
      .find((path) => path.startsWith('/') && existsSync(path))
  const firefox = find('firefox-esr', 'firefox')
  const [driver, program, display] = [find('WebKitWebDriver'), miniBrowser(), DISPLAY === '' ? undefined : DISPLAY]
  return {
    ...(firefox === undefined ? {} : { firefox: { program: firefox } }),
    ...(driver === undefined || program === undefined || (display === undefined && find('Xvfb') === undefined)
      ? {}
      : { webkit: { driver, program, display } }),
  }
}

/** The small browser that comes with WebKitGTK stands beside the library, in no folder of the search path. */
function miniBrowser(): string | undefined {
  const folders = ['/usr/libexec', '/usr/lib64', '/usr/lib', ...below('/usr/lib')]
  const found = folders.flatMap(below).filter((path) => /\/webkit2?gtk-[\d.]+$/.test(path))
  return found.map((folder) => join(folder, 'MiniBrowser')).find(existsSync)
}

function below(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => join(folder, name))
}
