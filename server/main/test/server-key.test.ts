import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Seal, SealFault } from '../../identity/seal.ts'
import { ServerKeys } from '../../identity/server-keys.ts'
import { drawAnother, serverKeysOf } from '../server-key.ts'
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

test('API-KEY-018: the server’s key is generated once, readable by its owner alone, and found again', () => {
  const dataFolder = join(newFolder(), 'data')
  const { bytes } = keyIn(dataFolder)
  assert.equal(bytes.length, 32)
  assert.deepEqual(keyIn(dataFolder).bytes, bytes)
  assert.equal(statSync(join(dataFolder, 'server.key')).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dataFolder), ['server.key'])
  assert.notDeepEqual(keyIn(newFolder()).bytes, bytes)
})

test('API-KEY-018: processes that generate a key at once all get the same one', async () => {
  const dataFolder = newFolder()
  const script = `import { serverKeysOf } from '${new URL('../server-key.ts', import.meta.url).href}'
    process.stdout.write(serverKeysOf({ serverKey: undefined, dataFolder: process.argv[1] }).newest.bytes.toString('hex'))`
  const draw = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, dataFolder])
  const drawn = await Promise.all(Array.from({ length: 4 }, draw))
  assert.deepEqual([...new Set(drawn.map(({ stdout }) => stdout))], [readFileSync(join(dataFolder, 'server.key'), 'utf8').trim()])
})

test('API-KEY-018: a configured key is used, and an invalid one is refused before anything is encrypted', () => {
  const folder = newFolder()
  const given = randomBytes(32)
  const { newest } = serverKeysOf(readSettings({ CANDOR_SERVER_KEY: given.toString('hex'), CANDOR_DATA: folder }, folder))
  assert.deepEqual(newest.bytes, given)
  assert.deepEqual(readdirSync(folder), [])
  for (const bad of ['ab', 'x'.repeat(64), 'ab'.repeat(33)])
    assert.throws(() => readSettings({ CANDOR_SERVER_KEY: bad }, folder), SettingsFault)
  for (const bad of ['', 'secret', 'ab'.repeat(31)]) {
    writeFileSync(join(folder, 'server.key'), bad)
    assert.throws(() => serverKeysOf({ serverKey: undefined, dataFolder: folder }), SettingsFault)
  }
})

test('API-KEY-020: a typed key is refused, a generated one never', () => {
  const dataFolder = newFolder()
  const counted = Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('hex')
  for (const weak of [
    'ab'.repeat(32),
    '0123456789abcdef'.repeat(4),
    counted,
    Buffer.from('correct horse battery staple 123').toString('hex'),
  ]) {
    assert.throws(() => serverKeysOf({ serverKey: weak, dataFolder }), /not generated at random/)
  }
  for (let n = 0; n < 2000; n++) serverKeysOf({ serverKey: randomBytes(32).toString('hex'), dataFolder })
})

test('API-KEY-021: a new key encrypts from its first moment, in running processes too; secrets of the previous key still open', () => {
  const dataFolder = newFolder()
  const running = new Seal(serverKeysOf({ serverKey: undefined, dataFolder }), 'api-key')
  const before = running.close('secret', 'place')
  drawAnother({ serverKey: undefined, dataFolder })
  assert.equal(running.open(before, 'place'), 'secret')
  const after = running.renew(before, 'place')!
  assert.notDeepEqual(after.subarray(1, 5), before.subarray(1, 5))
  assert.equal(running.renew(after, 'place'), undefined)
  assert.equal(running.open(after, 'place'), 'secret')
  drawAnother({ serverKey: undefined, dataFolder })
  const later = new Seal(serverKeysOf({ serverKey: undefined, dataFolder }), 'api-key')
  assert.equal(later.open(after, 'place'), 'secret')
  assert.throws(() => later.open(before, 'place'), SealFault)
})

test('API-KEY-021: of two keys in the setting, the first encrypts and both decrypt', () => {
  const dataFolder = newFolder()
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const old = new Seal(ServerKeys.of(second), 'webhook').close('secret', 'place')
  const both = new Seal(serverKeysOf({ serverKey: `${first.toString('hex')},${second.toString('hex')}`, dataFolder }), 'webhook')
  assert.equal(new Seal(ServerKeys.of(first), 'webhook').open(both.renew(old, 'place')!, 'place'), 'secret')
  assert.throws(() => drawAnother({ serverKey: first.toString('hex'), dataFolder }), SettingsFault)
})

const keyIn = (dataFolder: string) => serverKeysOf({ serverKey: undefined, dataFolder }).newest
