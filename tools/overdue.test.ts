import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-overdue-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

type Found = { readonly passed: string[]; readonly failed: string[]; readonly isEnded: boolean; readonly slowest: string[] }

/** Runs these texts as test files under `Overdue`, and gives what passed, failed and was said. */
function run(texts: Readonly<Record<string, string>>, limits: { readonly fileMaxMs: number; readonly allMaxMs: number }) {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, `${name}.test.mjs`)
    writeFileSync(file, `import { test } from 'node:test'\n${text}`)
    return file
  })
  const runner = `
    import { run } from 'node:test'
    import { Overdue } from ${JSON.stringify(join(import.meta.dirname, 'overdue.ts'))}
    const found = { passed: [], failed: [], isEnded: false, slowest: [] }
    const end = () => { console.log('FOUND' + JSON.stringify(found)); process.exit(0) }
    using overdue = new Overdue({ ...${JSON.stringify(limits)}, onEnd: () => { found.isEnded = true; end() } })
    const stream = run({ files: ${JSON.stringify(files)}, concurrency: 2 })
    overdue.watch(stream)
    stream.on('test:pass', ({ name }) => found.passed.push(name))
    stream.on('test:fail', ({ name }) => found.failed.push(name))
    for await (const _ of stream);
    found.slowest = overdue.slowest(9).map(({ file }) => file)
    end()`
  const environment = { ...process.env }
  delete environment['NODE_TEST_CONTEXT']
  writeFileSync(join(folder, 'runner.mjs'), runner)
  const done = spawnSync(process.execPath, [join(folder, 'runner.mjs')], { encoding: 'utf8', env: environment })
  const line = done.stdout.split('\n').find((one) => one.startsWith('FOUND'))
  assert.ok(line !== undefined, done.stdout + done.stderr)
  return { said: done.stdout, files, ...(JSON.parse(line.slice(5)) as Found) }
}

test('a file that does not end fails, and the others go on', { skip: process.platform === 'win32' && 'needs ps' }, () => {
  const open = `test('passes', () => undefined)\nsetInterval(() => undefined, 1_000)`
  const busy = `process.on('SIGTERM', () => undefined)\ntest('never ends', () => { for (;;); })`
  const { passed, failed, said, files, slowest } = run(
    { open, busy, good: `test('good', () => undefined)` },
    { fileMaxMs: 3_000, allMaxMs: 600_000 },
  )
  assert.deepEqual(passed.toSorted(), ['good', 'passes'])
  assert.deepEqual(failed.toSorted(), [files[0], files[1]].toSorted())
  assert.match(said, /open\.test\.mjs is not done after \d+ s/)
  assert.equal(slowest.length, 3)
})

test('a run that takes too long as a whole is ended', { skip: process.platform === 'win32' && 'needs ps' }, () => {
  const { isEnded, said } = run({ late: 'setInterval(() => undefined, 1_000)' }, { fileMaxMs: 4_000, allMaxMs: 500 })
  assert.equal(isEnded, true)
  assert.match(said, /late\.test\.mjs is not done after \d+ s/)
})
