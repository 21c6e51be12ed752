import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Bus, openBus } from '../../../server/bus/bus.ts'
import { subjects } from '../../../server/engine/bus/subjects.ts'
import { type BusUser, busUsers } from '../../../server/main/role/bus-rights.ts'
import { programs } from '../machines/packages.ts'
import { until } from '../machines/until.ts'
import { natsUrl } from '../texts/layout.ts'
import { natsConf } from '../texts/programs.ts'

const layout = { network: '127.0.0.0/8', machines: [{ name: 'a', address: '127.77.2.1', folder: '' }] }
const bus = { engine: 'one', follower: 'two', gateway: 'three', routes: 'four' }
const id = '0123456789abcdef'
/** Subjects, and the users that may send and hear each. */
const table: readonly [subject: string, send: readonly BusUser[], hear: readonly BusUser[]][] = [
  [subjects.leader, ['engine'], ['follower', 'gateway']],
  [subjects.released, ['engine'], ['follower', 'gateway']],
  [subjects.client(id), ['engine'], ['follower', 'gateway']],
  [subjects.engine(id), ['follower', 'gateway'], ['engine']],
  [subjects.witnesses, ['engine'], ['engine', 'gateway']],
  [subjects.witness(id), ['engine', 'gateway'], ['engine']],
  [subjects.topic('sessions'), ['engine', 'gateway'], ['engine', 'follower', 'gateway']],
  [subjects.topic('projected'), ['engine', 'follower'], ['engine', 'follower', 'gateway']],
  [subjects.topic('clock'), ['engine'], ['engine', 'follower', 'gateway']],
  ['other', [], []],
]

test('CLUSTER-RIGHTS-001: NATS takes from each role what it may send, gives it what it may hear, and nothing else', {
  skip: existsSync(programs.nats) ? false : 'nats-server is not installed',
}, async () => {
  await using parts = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'candor-rights-'))
  parts.defer(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'nats.conf')
  writeFileSync(file, natsConf(layout, layout.machines[0]!, { bus }))
  const server = spawn(programs.nats, ['-c', file], { stdio: 'ignore' })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  parts.defer(async () => {
    server.kill()
    await ended
  })
  const open = async (user: BusUser): Promise<Bus> => parts.use(await openBus({ url: natsUrl(layout, { bus }, user, 'nats'), name: user }))
  const heard = new Map<BusUser, Set<string>>()
  for (const user of busUsers) {
    const listener = await open(user)
    const got = new Set<string>()
    heard.set(user, got)
    for (const [subject] of table) listener.hear(subject, (bytes) => got.add(`${String(bytes)} ${subject}`))
  }
  const senders = new Map<BusUser, Bus>()
  for (const user of busUsers) senders.set(user, await open(user))
  const wanted = (user: BusUser): readonly string[] =>
    table.flatMap(([subject, send, hear]) => (hear.includes(user) ? send.map((from) => `${from} ${subject}`) : []))
  await until('what may be heard was heard', 30_000, () => {
    for (const [user, sender] of senders) for (const [subject] of table) sender.send(subject, Buffer.from(user))
    return busUsers.every((user) => wanted(user).every((line) => heard.get(user)!.has(line)))
  })
  for (const user of busUsers) assert.deepEqual([...heard.get(user)!].sort(), [...wanted(user)].sort(), user)
})
