/** Lays out what a release has in it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Sources that run, and the papers of operators. Of the simulator only the liquidity bots of a sandbox. */
const taken = [
  ...['core', 'server', 'client', 'simulator/bots', 'simulator/package.json'],
  ...['web/package.json', 'console/package.json', 'tools/package.json', 'tools/run.mjs'],
  ...[
    'package.json',
    'package-lock.json',
    '.npmrc',
    '.env.example',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'SECURITY.md',
    'docs',
    'deploy',
  ],
]
/** Needed only to install. */
const passing = ['web/package.json', 'console/package.json', 'tools/package.json']
const isLeftOut = (path: string): boolean => /(^|\/)test\/|\.test\.tsx?$|\/tsconfig[^/]*\.json$|^docs\/(images|decisions|spec)\//.test(path)

/** npm keeps the compiler of types, because packages that run name it as a peer for those who have types. */
const onlyTypes = ['typescript', '@typescript', '.bin/tsc'] as const

/** Workspaces whose packages run. */
const workspaces = ['core', 'server', 'client']

/** Lays out the commit of the repository, with its packages and the built apps, in an empty folder. */
export function stage(root: string, folder: string, { commit, version }: { readonly commit: string; readonly version: string }): void {
  const listed = execFileSync('git', ['ls-tree', '-r', '--name-only', '-z', commit, '--', ...taken], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const paths = listed.split('\0').filter((path) => path !== '' && !isLeftOut(path))
  const archive = execFileSync('git', ['archive', '--format=tar', commit, '--', ...paths], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  for (const app of ['web', 'console']) {
    mkdirSync(join(folder, app), { recursive: true })
    cpSync(join(root, app, 'dist'), join(folder, app, 'dist'), { recursive: true })
  }
  install(folder)
  linkLibraries(folder)
  for (const path of passing) rmSync(join(folder, path))
  for (const name of ['web', 'console', 'tools']) rmSync(join(folder, 'node_modules', '@candor', name), { force: true })
  for (const path of onlyTypes) rmSync(join(folder, 'node_modules', path), { recursive: true, force: true })
  for (const empty of ['tools'].filter((name) => readdirSync(join(folder, name)).length === 0))
    rmSync(join(folder, empty), { recursive: true })
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify({ version, commit: commit.slice(0, 12) })}\n`)
}

/** The embedded PostgreSQL links its libraries at its first start; a release belongs to root and can't be changed then. */
function linkLibraries(folder: string): void {
  const { href } = pathToFileURL(join(folder, 'server', 'store', 'embedded-binaries.ts'))
  const program = `(await import(${JSON.stringify(href)})).findBinaries()`
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 2, 2] })
}

function install(folder: string): void {
  const args = [
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--include-workspace-root',
    ...workspaces.map((name) => `--workspace=${name}`),
  ]
  const environment = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_|^NODE_ENV$/i.test(key)))
  const done = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2], env: environment })
  if (done.status !== 0) throw new Error('npm ci failed')
  // The launcher then knows that nothing is to be installed.
  const stamp = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
  writeFileSync(join(folder, 'node_modules', '.candor-stamp'), stamp)
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) throw new Error('npm wrote no list of packages')
}
