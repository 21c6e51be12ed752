import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, zstdDecompressSync } from 'node:zlib'
import { readSettings, type Settings } from '../settings.ts'

const folder = new URL('./fixtures/', import.meta.url)

/** Names of the kept data folders, one of each released version: `data-core-N`. */
export const oldDataNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.tar.zst'))
  .map((name) => name.slice(0, -'.tar.zst'.length))

/** Answers that the build gave its customer just before it was stopped, by path. */
export const toldBy = (name: string): Readonly<Record<string, any>> => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))

/** A data folder of an earlier build, closed by a clean stop, in a temporary place; what an upgrade puts beside it is removed with it. */
export function oldData(name: string): Settings & Disposable {
  const place = mkdtempSync(join(tmpdir(), 'candor-upgrade-'))
  const dataFolder = join(place, 'data')
  mkdirSync(dataFolder)
  const tar = zstdDecompressSync(readFileSync(new URL(`${name}.tar.zst`, folder)), { params: { [constants.ZSTD_d_windowLogMax]: 27 } })
  execFileSync('tar', ['-xf', '-', '--no-same-owner', '-C', dataFolder], { input: tar })
  return {
    ...readSettings({ CANDOR_DATA: dataFolder, PORT: '0', CANDOR_FEED: 'simulated', CANDOR_SEED: '7' }, dataFolder),
    logLevel: 'silent',
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  }
}
