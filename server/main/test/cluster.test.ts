import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NatsNode } from '../../bus/test/nats-node.ts'
import { audit } from '../../journal/audit.ts'
import { startScratchServer } from '../../store/test/scratch.ts'
import { environmentOf, readSettings, type Settings } from '../settings.ts'
import type { ProcessRole, RoleMessage } from '../process.ts'
import { type BusUser, busRights, busUsers } from '../role/bus-rights.ts'
import { programOf } from '../role/tuning.ts'
import { startLoad } from './order-load.ts'

/** A role in a process of its own, on a machine of its own. */
class Member implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly ready: Promise<RoleMessage>
  readonly ended: Promise<void>

  constructor(role: ProcessRole, settings: Settings) {
    const { words, environment } = programOf(role)
    this.#child = spawn(process.execPath, words, {
      env: { ...process.env, ...environment, ...environmentOf(settings) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.ended = new Promise((resolve) => this.#child.once('exit', () => resolve()))
    this.ready = new Promise((resolve, reject) => {
      this.#child.once('message', (message) => resolve(message as RoleMessage))
      this.#child.once('exit', (code) => reject(new Error(`the ${role} ended with ${code}`)))
    })
    this.ready.catch(() => undefined)
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }
}

test('CLUSTER-ROLES-001: engines, followers and gateways on several machines are one exchange, and a killed or frozen engine is replaced', async (t) => {
  await using parts = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'candor-cluster-'))
  parts.defer(() => rmSync(folder, { recursive: true, force: true }))
  const scratch = parts.use(await startScratchServer())
  const node = parts.use(await NatsNode.start())
  node.rightsOf = (user) => {
    assert.ok((busUsers as readonly string[]).includes(user), user)
    return busRights(user as BusUser)
  }
  const store = parts.use(await scratch.store())
  const serverKey = randomBytes(32).toString('hex')
  let machines = 0
  const machine = (user: BusUser = 'gateway'): Settings => ({
    ...readSettings(
      {
        ...{
          CANDOR_DATA: join(folder, `machine-${++machines}`),
          CANDOR_WITNESS: join(folder, `witness-${machines}`),
          PORT: '0',
          CANDOR_SEED: '1',
          CANDOR_FEED: 'simulated',
          CANDOR_LOG: 'warn',
        },
        ...{
          CANDOR_BOTS: 'off',
          CANDOR_TEST_CHAINS: 'off',
          CANDOR_SERVER_KEY: serverKey,
          NATS_URL: node.url.replace('//', `//${user}:password@`),
          DATABASE_URL: store.url,
        },
      },
      folder,
    ),
  })
  const start = (role: ProcessRole): Member => parts.use(new Member(role, machine(role as BusUser)))
  /** Starts it again, as systemd does, when it ends before it is ready: a busy machine breaks connections. */
  const startKept = async (role: ProcessRole): Promise<RoleMessage> => {
    for (;;) {
      const ready = await start(role).ready.catch((cause: Error) => t.diagnostic(cause.message))
      if (ready) return ready
    }
  }
  const first = start('engine')
  await first.ready
  await startKept('follower')
  const second = start('engine')
  await second.ready
  const urls = (await Promise.all([startKept('gateway'), startKept('gateway')])).map(({ url }) => url!)
  const load = await startLoad(machine(), store, urls)
  parts.defer(() => load.end())
  await load.goesOn()

  const epoch = async (): Promise<number> => (await store.pool.query('select epoch from leader')).rows[0].epoch
  const replaced = async (what: string, by: () => void): Promise<void> => {
    const [before, startedAt] = [await epoch(), performance.now()]
    by()
    while ((await epoch()) === before) await sleep(5)
    await load.goesOn()
    await load.goesOn()
    t.diagnostic(`${what}: orders again after ${Math.round(performance.now() - startedAt)} ms`)
  }
  await replaced('killed', () => first.signal('SIGKILL'))
  const third = start('engine')
  await third.ready
  await replaced('frozen', () => second.signal('SIGSTOP'))
  second.signal('SIGCONT')
  await second.ended
  await load.goesOn()

  await load.end()
  t.diagnostic(`${load.acknowledged.length} acknowledged; refused: ${JSON.stringify([...load.failures])}`)
  const { rows } = await store.pool.query('select count(distinct client_id)::int as n from orders where client_id = any($1)', [
    load.acknowledged,
  ])
  while (
    (await store.pool.query('select seq from projection')).rows[0].seq <
    (await store.pool.query('select max(seq) as seq from journal')).rows[0].seq
  )
    await sleep(20)
  assert.equal(rows[0].n, load.acknowledged.length, 'every acknowledged order is in the tables')
  const { problems } = await audit({ pool: store.pool, tapeKeptMs: 7 * 86_400_000 })
  assert.deepEqual(problems, [])
  assert.deepEqual([...node.offences], [], 'no role does what its user of the bus may not')
})
