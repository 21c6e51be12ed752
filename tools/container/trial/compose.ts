/** Tries the compose file of a release in a folder of its own, as an operator lays it out. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../cluster/machines/until.ts'
import type { Program } from '../../cluster/bank/program.ts'
import { balanceOf, type Place, programsOf, registered, tradedDuring, untilHealthy } from '../customers.ts'
import { images } from '../images.ts'
import type { Podman } from '../podman.ts'
import type { Report } from '../report.ts'
import { auditOf, isHumble, isReadOnly, stopped } from './image.ts'

const project = 'candor'
const entry = 'http://127.0.0.1:3000'
const email = 'bob@customer.example'
const containers = { database: 'candor_database_1', candor: 'candor_candor_1', prometheus: 'candor_prometheus_1' } as const
/** The user of the image of Prometheus: nobody. */
const prometheusUser = 65_534
const readyMaxMs = 240_000

export async function tryCompose(podman: Podman, report: Report, folder: string): Promise<void> {
  report.title('The compose file, with a database server of its own and Prometheus')
  const compose = composeIn(podman, layOut(folder))
  const place: Place = { entry, candor: (...words) => podman.candor(containers.candor, ...words) }
  const { token } = compose
  await report.check('production starts, and trading waits for the venues alone', async () => {
    compose.settings(productionSettings)
    compose.run('up', '--detach')
    const missing = await until('the gateway answers', readyMaxMs, () => missingFrom(token))
    assert.match(podman.ask('logs', containers.candor).text, /This is production\./)
    return missing
  })
  await report.check('Prometheus reads the metrics of production', () => untilScraped(podman))
  await report.check('it is removed with its volumes', () => compose.run('down', '--volumes'))
  await report.check('a sandbox starts and is healthy', async () => {
    compose.settings(sandboxSettings)
    compose.run('up', '--detach')
    await untilHealthy(entry)
  })
  await report.check('the exchange runs as a user of its own, without capabilities', () => isHumble(podman, containers.candor))
  await report.check('the exchange can write nothing but its volumes and /tmp', () => isReadOnly(podman, containers.candor))
  await report.check('the database asks for passwords, and listens to no network', () => isGuarded(podman))
  await report.check('a customer registers and gets practice funds', () => registered(entry, email))
  let programs: readonly Program[] = []
  await report.check('commands in the container make customers with keys', () => {
    programs = programsOf(place)
  })
  for (const victim of ['candor', 'database'] as const)
    await report.check(`programs trade while the container ${victim} is killed and started again by itself`, () =>
      tradedDuring(programs, place, {
        log: join(folder, `compose-${victim}.ndjson`),
        work: async () => {
          await killed(podman, containers[victim])
          await untilHealthy(entry)
        },
      }),
    )
  await report.check('Prometheus reads the metrics again', () => untilScraped(podman))
  await report.check('the exchange stops cleanly on SIGTERM', () => stopped(podman, containers.candor))
  await report.check('after down and up everything is there', async () => {
    compose.run('down')
    compose.run('up', '--detach')
    await untilHealthy(entry)
    return `${await balanceOf(entry, email)}; ${auditOf(place)}`
  })
  compose.run('down', '--volumes')
}

/** `deploy` of the release, with the secrets. */
function layOut(folder: string): string {
  const at = join(folder, 'compose')
  rmSync(at, { recursive: true, force: true })
  mkdirSync(at)
  execFileSync('cp', ['-r', join(folder, 'release', 'deploy'), at])
  return join(at, 'deploy', 'container')
}

function composeIn(podman: Podman, at: string) {
  const drawn = { database: randomBytes(24).toString('hex'), metrics: randomBytes(24).toString('hex') }
  mkdirSync(join(at, 'secrets'), { mode: 0o755 })
  for (const name of ['database', 'metrics'] as const) {
    const file = join(at, 'secrets', name)
    writeFileSync(file, drawn[name])
    chmodSync(file, 0o400)
    if (name === 'metrics') chownSync(file, prometheusUser, prometheusUser)
  }
  const example = readFileSync(join(at, 'candor.env'), 'utf8')
    .replace('DATABASE-PASSWORD', drawn.database)
    .replace('METRICS-TOKEN', drawn.metrics)
    .replace('SERVER-KEY', randomBytes(32).toString('hex'))
    .replace('PROXY-NETWORK', '10.0.0.0/8')
  const environment = {
    ...podman.environment,
    ...{ CANDOR_IMAGE: images.candor, DATABASE_IMAGE: images.database, PROMETHEUS_IMAGE: images.prometheus },
  }
  return {
    token: drawn.metrics,
    settings: (more: (text: string) => string) => writeFileSync(join(at, 'candor.env'), more(example), { mode: 0o600 }),
    run: (...words: readonly string[]) =>
      void execFileSync('podman-compose', ['--project-name', project, ...words], {
        cwd: at,
        env: environment,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  }
}

const productionSettings = (text: string): string =>
  text
    .replaceAll('EXCHANGE.EXAMPLE', 'exchange.example')
    .replace('=EXCHANGE ', '=Exchange ')
    .replace('USER:PASSWORD@MAIL.EXAMPLE', 'user:password@mail.example')

/** The same without what only production has, and with simulated prices. */
const sandboxSettings = (text: string): string =>
  text.replace(/^CANDOR_(MODE|PUBLIC_URL)=.*\n/gm, '').replace(/^(SMTP|MAIL)_.*\n/gm, '') +
  ['CANDOR_FEED=simulated', 'CANDOR_SEED=1', 'CANDOR_RATES=off', 'CANDOR_BOTS=off', 'CANDOR_TEST_CHAINS=off', ''].join('\n')

/** What production without venues lacks. throws AssertionError if it is anything else, Error while nobody answers */
async function missingFrom(token: string): Promise<string> {
  const answer = await fetch(`${entry}/healthz`, { headers: { authorization: `Bearer ${token}` } })
  const { missing } = (await answer.json()) as { readonly missing: Readonly<Record<string, string>> }
  assert.deepEqual(Object.keys(missing), ['prices'], JSON.stringify(missing))
  return JSON.stringify(missing)
}

/** Waits until Prometheus says that its target is up. */
async function untilScraped(podman: Podman): Promise<void> {
  const ask = "const r = await fetch('http://prometheus:9090/api/v1/query?query=up'); console.log(await r.text())"
  await until('the target is up', readyMaxMs, () => {
    const said = podman.ask('exec', containers.candor, 'node', '--input-type=module', '--eval', ask).text
    if (!/"job":"candor"/.test(said) || !/,"1"\]/.test(said)) throw new Error(said)
    return true
  })
}

/** Kills the first process of a container as an accident would, and waits until another one runs. */
async function killed(podman: Podman, container: string): Promise<void> {
  const pid = (): string => podman.run('inspect', '--format={{.State.Pid}}', container)
  const before = pid()
  process.kill(Number(before), 'SIGKILL')
  await until(`${container} is started again`, readyMaxMs, () => pid() !== before && pid() !== '0')
}

/** throws AssertionError */
function isGuarded(podman: Podman): void {
  const said = podman.ask('exec', containers.database, 'psql', '--no-password', '--username=candor', '--command=select 1').text
  assert.match(said, /no password supplied/)
  // Lines of sockets that listen.
  assert.equal(podman.in(containers.database, 'sh', '-c', 'grep -h " 0A " /proc/net/tcp /proc/net/tcp6 || true'), '')
}
