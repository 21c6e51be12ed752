import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const code = `import { installIn } from ${JSON.stringify(new URL('npm.ts', import.meta.url).href)}; installIn(process.argv[1], 'nothing')`

/** Installs the packages of a folder in a process of its own. Resolves with what it prints to stderr. */
function install(folder: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  return new Promise((resolve, reject) => child.on('close', (status) => (status === 0 ? resolve(said) : reject(new Error(said)))))
}

/** A package with one dependency, in the folder next to it. */
function packageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'candor-npm-'))
  const one = { name: 'one', version: '1.0.0' }
  const about = { name: 'needs-one', version: '1.0.0', dependencies: { one: 'file:one' } }
  const packages = { '': about, one: { version: '1.0.0' }, 'node_modules/one': { resolved: 'one', link: true } }
  mkdirSync(join(folder, 'one'))
  writeFileSync(join(folder, 'one', 'package.json'), JSON.stringify(one))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ name: about.name, version: about.version, lockfileVersion: 3, packages }),
  )
  return folder
}

test('when several processes want the same packages, one installs them and the others wait', async () => {
  const folder = packageFolder()
  try {
    const said = await Promise.all(Array.from({ length: 4 }, () => install(folder)))
    assert.equal(said.join('').split('Installing nothing').length, 2, said.join(''))
    assert.ok(existsSync(join(folder, 'node_modules', '.candor-stamp')))
    assert.ok(!existsSync(join(folder, '.installing')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the turn of a process that died is taken over', async () => {
  const folder = packageFolder()
  try {
    writeFileSync(join(folder, '.installing'), String(spawnSync(process.execPath, ['-e', '0']).pid))
    assert.match(await install(folder), /Installing nothing/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
