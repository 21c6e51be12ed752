import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../tidy/files.ts'
import { installed } from './installed.ts'

test('UI-BROWSERS-001: without other browsers, the command names each as skipped, with its packages, and ends well', () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-browsers-'))
  try {
    const env = { ...process.env, PATH: folder }
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'tools', 'browsers.ts')], { encoding: 'utf8', env })
    assert.deepEqual(stdout.trim().split('\n'), [
      'Firefox: skipped, not on this machine. Debian: apt-get install firefox-esr',
      'WebKitGTK: skipped, not on this machine. Debian: apt-get install webkit2gtk-driver xvfb',
    ])
    assert.equal(status, 0)

    // With a program of that name, it is found.
    const firefox = join(folder, 'firefox')
    writeFileSync(firefox, '')
    chmodSync(firefox, 0o755)
    assert.deepEqual(installed({ PATH: folder }), { firefox: { program: firefox } })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
