/** Tries the image by itself, with the embedded database in its volumes. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Program } from '../../cluster/bank/program.ts'
import { balanceOf, type Place, programsOf, registered, tradedDuring, untilHealthy } from '../customers.ts'
import { images } from '../images.ts'
import type { Podman } from '../podman.ts'
import type { Report } from '../report.ts'
import { until } from '../../cluster/machines/until.ts'

const name = 'candor'
const entry = 'http://127.0.0.1:3000'
const email = 'ann@customer.example'
/** What docs/operate.md tells a sandbox. */
const settings = ['CANDOR_FEED=simulated', 'CANDOR_SEED=1', 'CANDOR_RATES=off', 'CANDOR_BOTS=off', 'CANDOR_TEST_CHAINS=off']

export async function tryImage(podman: Podman, report: Report, folder: string): Promise<void> {
  report.title('The image, with the embedded database')
  const place: Place = { entry, candor: (...words) => podman.candor(name, ...words) }
  await report.check('it starts and is healthy', async () => {
    start(podman)
    await untilHealthy(entry)
    await until('podman’s own health check', 60_000, () => podman.ask('healthcheck', 'run', name).status === 0)
  })
  await report.check('it runs as a user of its own, without capabilities', () => isHumble(podman, name))
  await report.check('it can write nothing but its volumes and /tmp', () => isReadOnly(podman, name))
  await report.check('a customer registers and gets practice funds', () => registered(entry, email))
  let programs: readonly Program[] = []
  await report.check('commands in the container make customers with keys', () => {
    programs = programsOf(place)
  })
  const traded = (log: string, work: () => Promise<void>) =>
    tradedDuring(programs, place, { log: join(folder, `image-${log}.ndjson`), work })
  await report.check('programs trade while the database is killed', () =>
    traded('database', async () => {
      podman.in(name, 'sh', '-c', 'kill -9 $(head -n 1 /var/lib/candor/data/postgres/data/postmaster.pid)')
      await untilHealthy(entry)
    }),
  )
  await report.check('programs trade while the container is killed, which comes back with its data', () =>
    traded('killed', async () => {
      podman.run('kill', '--signal=KILL', name)
      podman.run('start', name)
      await untilHealthy(entry)
    }),
  )
  await report.check('it stops cleanly on SIGTERM', () => stopped(podman, name))
  await report.check('a new container finds everything in the volumes', async () => {
    podman.run('rm', name)
    start(podman)
    await untilHealthy(entry)
    return `${await balanceOf(entry, email)}; ${auditOf(place)}`
  })
  podman.run('stop', '--time=60', name)
  podman.run('rm', name)
}

function start(podman: Podman): void {
  podman.run(
    ...['run', '--detach', `--name=${name}`, '--publish=127.0.0.1:3000:3000'],
    ...['--volume=data:/var/lib/candor', '--volume=witness:/var/lib/candor-witness'],
    ...['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges'],
    ...settings.map((one) => `--env=${one}`),
    images.candor,
  )
}

/** All processes of the container: their user and what they may do. throws AssertionError */
export function isHumble(podman: Podman, container: string): string {
  const text = podman.in(container, 'sh', '-c', 'for one in /proc/[0-9]*; do cat $one/status && echo; done 2>/dev/null || true')
  const found = text.split('\n\n').filter((one) => /^CapBnd/m.test(one))
  for (const status of found) {
    assert.match(status, /^Uid:\s10001\s10001\s10001\s10001$/m)
    assert.match(status, /^CapPrm:\s0{16}\nCapEff:\s0{16}\nCapBnd:\s0{16}$/m)
    assert.match(status, /^NoNewPrivs:\s1$/m)
  }
  assert.ok(found.length > 2)
  return `${found.length} processes`
}

/** throws AssertionError */
export function isReadOnly(podman: Podman, container: string): void {
  for (const path of ['/x', '/opt/candor/x', '/etc/x', '/usr/bin/x', '/var/lib/x'])
    assert.match(podman.ask('exec', container, 'touch', path).text, /Read-only file system/, path)
  for (const path of ['/tmp/x', '/var/lib/candor/x', '/var/lib/candor-witness/x'])
    podman.in(container, 'sh', '-c', `touch ${path} && rm ${path}`)
}

/** throws AssertionError unless it says so itself and ends with 0 */
export function stopped(podman: Podman, container: string): void {
  podman.run('stop', '--time=60', container)
  assert.match(podman.ask('logs', '--tail=3', container).text, /^Stopped\./m)
  assert.equal(podman.run('inspect', '--format={{.State.ExitCode}}', container), '0')
}

/** throws Error unless the journal is consistent */
export function auditOf({ candor }: Place): string {
  const { seq } = candor('audit') as unknown as { readonly seq: number }
  return `audited to command ${seq}`
}
