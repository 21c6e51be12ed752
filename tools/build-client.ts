/**
 * Builds the client for programs as it is published: `client/dist` with JavaScript, declarations and a `package.json` of its own.
 *
 *   node tools/build-client.ts [folder]
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from './tidy/files.ts'

const client = join(root, 'client')

/** Public entry points by their subpaths in the package. Everything else is private. */
const entries: Readonly<Record<string, string>> = {
  '.': 'program/index',
  './call': 'program/call',
  './errors': 'program/errors',
  './sign': 'program/sign',
  './stream': 'program/stream',
  './book': 'program/book',
  './socket-api': 'program/socket-api',
  './futures-events': 'program/futures-events',
  ...Object.fromEntries(
    readdirSync(join(client, 'program', 'printed'))
      .map((name) => name.replace(/\.ts$/, ''))
      .filter((name) => name !== 'shared')
      .sort()
      .map((name) => [`./${name}`, `program/printed/${name}`]),
  ),
}

/** Writes the package to `folder`. throws  Error when the compiler finds a fault */
export function buildClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'candor-client-'))
  try {
    const settings = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        rewriteRelativeImportExtensions: true,
        target: 'es2023',
        lib: ['esnext', 'dom'],
        rootDir: client,
        outDir: folder,
        stripInternal: true,
      },
      files: Object.values(entries).map((entry) => join(client, `${entry}.ts`)),
    }
    writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(settings))
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const done = spawnSync(process.execPath, [compiler, '-p', work], { cwd: root, encoding: 'utf8' })
    if (done.status !== 0) throw new Error(done.stdout + done.stderr)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.d.ts')) declareWithoutSources(join(folder, path))
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  copyFileSync(join(client, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** Makes declarations import each other by `.js` names, so that users need not allow `.ts` in imports. */
function declareWithoutSources(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/(from\s+'|from\s+"|import\(["'])(\.[^'"]*)\.ts(['"])/g, '$1$2.js$3'))
}

function manifest(): object {
  const { name, version, license } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')) as Record<string, string>
  return {
    name,
    version,
    license,
    description: 'Client of the Candor exchange for programs: REST, streams and the WebSocket API, in browsers and Node',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    exports: Object.fromEntries(
      Object.entries(entries).map(([entry, file]) => [entry, { types: `./${file}.d.ts`, default: `./${file}.js` }]),
    ),
    types: `./${entries['.']}.d.ts`,
    main: `./${entries['.']}.js`,
  }
}

if (import.meta.main) buildClient(resolve(process.argv[2] ?? join(client, 'dist')))
