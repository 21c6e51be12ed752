import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const pollMs = 100
/** A process writes its number right after creating the file. */
const nameMaxMs = 10_000
/** Longer than an install takes on a slow line. A registry that stops answering must not stop us for ever. */
const installMaxMs = 300_000
/** Longer than two tries of an install. */
const turnMaxMs = 2 * installMaxMs

/**
 * Updates `node_modules` of a folder with its own lock file, once per version of that file, from npm's cache if possible. If
 * several processes want this at once, one does the work and the others wait.
 *
 * throws  Error when npm failed
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
    // The stamp is removed first and written last, so that an interrupted install never counts as complete.
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
    spawnSync(isScript ? process.execPath : 'npm', isScript ? [cli, ...args] : args, {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      timeout: installMaxMs,
      killSignal: 'SIGKILL',
    }).status === 0
  // Another npm cleaning the cache at the same time can remove a file in use: the second try succeeds.
  if (!run() && !run()) throw new Error(`npm ${args.join(' ')} in ${folder} failed: it needs the npm registry or a filled cache`)
}

/** Waits until this process alone has created the file `turn`. A file left by a dead process is taken over. */
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
    // The owner may be about to write its number, and an old number may belong to another process by now.
    if (ageMs > (owner === '' ? nameMaxMs : turnMaxMs)) return true
    if (owner !== '') process.kill(Number(owner), 0)
    return false
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
