import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../tidy/files.ts'
import { programs } from '../machines/packages.ts'
import { examples } from '../texts/examples.ts'
import { etcdApi } from '../texts/patroni.ts'
import { haproxyConf, natsConf } from '../texts/programs.ts'

test('RIG-TEXT-001: the examples for real machines are what the rig uses', () => {
  for (const [path, text] of examples()) assert.equal(readFileSync(join(root, path), 'utf8'), text, `${path}: run node tools/tidy/print.ts`)
})

test('RIG-TEXT-002: Patroni before 3.0.3 gets the v2 API of etcd, later ones v3', () => {
  for (const old of ['patroni 2.1.4', 'patroni 3.0.0', 'patroni 3.0.2']) assert.equal(etcdApi(old), 'etcd', old)
  for (const mended of ['patroni 3.0.3', 'patroni 3.1.0', 'patroni 4.0.6', 'patroni 3.0.10']) assert.equal(etcdApi(mended), 'etcd3', mended)
  assert.throws(() => etcdApi('command not found'))
})

test('RIG-TEXT-003: Patroni is told to wait for a synchronous standby and never to promote one that is behind', () => {
  const text = examples().get('deploy/cluster/patroni.yml') ?? ''
  const settings = {
    ...{ ttl: '10', loop_wait: '2', retry_timeout: '3', maximum_lag_on_failover: '0', primary_start_timeout: '0' },
    ...{ synchronous_mode: 'true', synchronous_mode_strict: 'true', synchronous_node_count: '1', use_pg_rewind: 'true', use_slots: 'true' },
  }
  for (const [name, value] of Object.entries(settings)) assert.match(text, new RegExp(`^ +${name}: ${value}$`, 'm'))
  assert.match(text, /- data-checksums/)
  assert.doesNotMatch(text, /synchronous_commit|fsync|trust/)
})

const machines = ['a', 'b', 'c'].map((name, i) => ({ name, address: `127.77.1.${i + 1}`, folder: '' }))
const secrets = { bus: { engine: 'one', follower: 'two', gateway: 'three', routes: 'secret' } }
const layout = { network: '127.0.0.0/8', machines }

test('RIG-TEXT-004: HAProxy sends the database port to the primary alone, and ends sessions of one that is none any more', () => {
  const text = haproxyConf(layout, machines[0]!)
  assert.match(text, /hdr Host localhost/)
  assert.match(text, /option httpchk GET \/primary\n {2}http-check expect status 200/)
  assert.match(text, /fall 2 rise 1 on-marked-down shutdown-sessions/)
  for (const { address } of machines) assert.ok(text.includes(`${address}:5432 check port 8008`) && text.includes(`${address}:3000 check`))
  assert.doesNotMatch(text, /backup|retry-on/)
})

test('RIG-TEXT-005: NATS knows the routes to the other machines, and no JetStream', () => {
  const text = natsConf(layout, machines[1]!, secrets)
  assert.match(text, /routes:secret@127\.77\.1\.1:6222/)
  assert.equal(text.match(/password: "secret"/g)?.length, 1)
  assert.match(text, /127\.77\.1\.3:6222/)
  assert.doesNotMatch(text, /@127\.77\.1\.2|jetstream/)
})

const checks = { haproxy: ['-c', '-f'], nats: ['-t', '-c'] } as const
for (const name of ['haproxy', 'nats'] as const) {
  const isThere = existsSync(programs[name])
  test(`RIG-TEXT-006: ${name} takes its configuration`, { skip: isThere ? false : `${name} is not installed` }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-texts-'))
    try {
      const file = join(folder, 'config')
      writeFileSync(file, name === 'haproxy' ? haproxyConf(layout, machines[0]!) : natsConf(layout, machines[0]!, secrets))
      const done = spawnSync(programs[name], [...checks[name], file], { encoding: 'utf8' })
      assert.equal(done.status, 0, done.stderr + done.stdout)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
