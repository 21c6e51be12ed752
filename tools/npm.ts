import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Brings `node_modules` of a folder with a lock of its own to what that lock says, once per lock; from npm's cache where it
 * has everything.
 *
 * throws  Error when npm could not
 */
export function installIn(folder: string, about: string): void {
  const stampFile = join(folder, 'node_modules', '.candor-stamp')
  const stamp = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  process.stderr.write(`Installing ${about} …\n`)
  // A half-done install must not pass for a whole one, so the stamp goes first and comes back last.
  rmSync(stampFile, { force: true })
  const cli = process.env.npm_execpath
  const isScript = cli !== undefined && /\.[cm]?js$/.test(cli)
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const install = (): boolean =>
    spawnSync(isScript ? process.execPath : 'npm', isScript ? [cli, ...args] : args, { cwd: folder, stdio: ['ignore', 2, 2] }).status === 0
  // Another npm that cleans the cache at the same time can take a file away under it: the second try finds what is there.
  if (!install() && !install()) throw new Error(`npm ${args.join(' ')} in ${folder} failed: it needs the npm registry or a filled cache`)
  writeFileSync(stampFile, stamp)
}
