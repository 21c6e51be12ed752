import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const pollMs = 100
/** A process writes its number right after it has made the file. */
const nameMaxMs = 10_000
/** No install takes so long. */
const turnMaxMs = 600_000

/**
 * Brings `node_modules` of a folder with a lock of its own to what that lock says, once per lock; from npm's cache where it
 * has everything. Of several processes that want it at once, one works and the others wait for it.
 *
 * throws  Error when npm could not
 */
export function installIn(folder: string, about: string): void {
  const stampFile = join(folder, 'node_modules', '.candor-stamp')
  const stamp = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const isThere = (): boolean => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (isThere()) return
  const turn = join(folder, '.installing')
  takeTurn(turn)
  try {
    if (isThere()) return
    process.stderr.write(`Installing ${about} …\n`)
    // A half-done install must not pass for a whole one, so the stamp goes first and comes back last.
    rmSync(stampFile, { force: true })
    install(folder)
    writeFileSync(stampFile, stamp)
  } finally {
    rmSync(turn, { force: true })
  }
}

function install(folder: string): void {
  const cli = process.env.npm_execpath
  const isScript = cli !== undefined && /\.[cm]?js$/.test(cli)
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const run = (): boolean =>
    spawnSync(isScript ? process.execPath : 'npm', isScript ? [cli, ...args] : args, { cwd: folder, stdio: ['ignore', 2, 2] }).status === 0
  // Another npm that cleans the cache at the same time can take a file away under it: the second try finds what is there.
  if (!run() && !run()) throw new Error(`npm ${args.join(' ')} in ${folder} failed: it needs the npm registry or a filled cache`)
}

/** Waits until this process alone has made the file `turn`. One that was left by a process that died is taken over. */
function takeTurn(turn: string): void {
  for (;;) {
    try {
      writeFileSync(turn, String(process.pid), { flag: 'wx' })
      return
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    }
    if (isLeft(turn)) rmSync(turn, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
}

function isLeft(turn: string): boolean {
  try {
    const owner = readFileSync(turn, 'utf8')
    const ageMs = Date.now() - statSync(turn).mtimeMs
    // It may be about to say who it is; and its number may be somebody else's by now.
    if (ageMs > (owner === '' ? nameMaxMs : turnMaxMs)) return true
    if (owner !== '') process.kill(Number(owner), 0)
    return false
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
