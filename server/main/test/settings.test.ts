import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { environmentOf, readSettings, root, SettingsFault, settingNames } from '../settings.ts'

test('without settings it is a sandbox on this machine, with bots', () => {
  const settings = readSettings({}, tmpdir())
  assert.deepEqual(
    [settings.mode, settings.host, settings.port, settings.feed, settings.hasBots],
    ['sandbox', '127.0.0.1', 3_000, 'auto', true],
  )
})

for (const bad of [
  { PORT: '70000' },
  { PORT: 'x' },
  { CANDOR_MODE: 'test' },
  { CANDOR_FEED: 'nosuch' },
  { CANDOR_FEED: 'replay:' },
  { DATABASE_URL: 'mysql://x' },
  { CANDOR_BOTS: 'yes' },
  { CANDOR_PUBLIC_URL: 'nowhere' },
  { CANDOR_CONSOLE_URL: 'nowhere' },
  { CANDOR_CONSOLE_PORT: '0' },
  { CANDOR_TRUSTED_PROXIES: 'on' },
  { CANDOR_TRUSTED_PROXIES: '10.0.0.0/33' },
  { CANDOR_HOSTS: 'http://x.example' },
]) {
  test(`${JSON.stringify(bad)} is refused by name`, () => {
    assert.throws(
      () => readSettings(bad, tmpdir()),
      (error: Error) => error instanceof SettingsFault && error.message.includes(Object.keys(bad)[0]!),
    )
  })
}

test('the environment overrides .env, and that overrides candor.config.json; a process gets its parent’s settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-settings-'))
  try {
    writeFileSync(join(folder, 'candor.config.json'), JSON.stringify({ PORT: 1, HOST: 'a.example', CANDOR_SEED: 'x' }))
    writeFileSync(join(folder, '.env'), 'PORT=2\nHOST=b.example\n')
    const settings = readSettings({ PORT: '3' }, folder)
    assert.deepEqual([settings.port, settings.host, settings.seed], [3, 'b.example', 'x'])
    assert.deepEqual(readSettings(environmentOf(settings), tmpdir()), { ...settings, unset: [] })
    writeFileSync(join(folder, 'candor.config.json'), '{"NOSUCH":1}')
    assert.throws(() => readSettings({}, folder), /NOSUCH/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('.env.example names every setting and no other', () => {
  const named = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
  assert.deepEqual(named.toSorted(), settingNames.toSorted())
})
