import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { serverKeyOf } from '../server-key.ts'
import { readSettings, SettingsFault } from '../settings.ts'

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-server-key-'))
  folders.push(folder)
  return folder
}
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('API-KEY-018: the server’s key is drawn once, for its owner alone, and found again', () => {
  const dataFolder = join(newFolder(), 'data')
  const key = serverKeyOf({ serverKey: undefined, dataFolder })
  assert.equal(key.length, 32)
  assert.deepEqual(serverKeyOf({ serverKey: undefined, dataFolder }), key)
  assert.equal(statSync(join(dataFolder, 'server.key')).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dataFolder), ['server.key'])
  assert.notDeepEqual(serverKeyOf({ serverKey: undefined, dataFolder: newFolder() }), key)
})

test('API-KEY-018: of processes that draw at once all get the same key', async () => {
  const dataFolder = newFolder()
  const script = `import { serverKeyOf } from '${new URL('../server-key.ts', import.meta.url).href}'
    process.stdout.write(serverKeyOf({ serverKey: undefined, dataFolder: process.argv[1] }).toString('hex'))`
  const draw = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, dataFolder])
  const drawn = await Promise.all(Array.from({ length: 4 }, draw))
  assert.deepEqual([...new Set(drawn.map(({ stdout }) => stdout))], [readFileSync(join(dataFolder, 'server.key'), 'utf8').trim()])
})

test('API-KEY-018: a key that is given holds, and what is none is refused before anything is sealed with it', () => {
  const folder = newFolder()
  const given = 'ab'.repeat(32)
  assert.deepEqual(serverKeyOf(readSettings({ CANDOR_SERVER_KEY: given, CANDOR_DATA: folder }, folder)), Buffer.alloc(32, 0xab))
  assert.deepEqual(readdirSync(folder), [])
  for (const bad of ['ab', 'x'.repeat(64), 'ab'.repeat(33)])
    assert.throws(() => readSettings({ CANDOR_SERVER_KEY: bad }, folder), SettingsFault)
  for (const bad of ['', 'secret', 'ab'.repeat(31)]) {
    writeFileSync(join(folder, 'server.key'), bad)
    assert.throws(() => serverKeyOf({ serverKey: undefined, dataFolder: folder }), SettingsFault)
  }
})
