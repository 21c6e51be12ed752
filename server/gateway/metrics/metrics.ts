import { treasuryRoles } from '@candor/core/protocol/wire/console/treasury.ts'
import type { Context } from '../../live/context.ts'
import { lastDeeds } from '../../backup/last.ts'
import { treasuryOf } from '../../console/treasury/read.ts'
import { diskSpace } from '../../engine/disk.ts'
import { socketCounts } from '../../sockets/connection.ts'
import type { Told } from '../../watch/process.ts'
import { ProcessReport, ToldReports } from '../../watch/process.ts'
import type { CommitTimes } from '../../watch/engine-meter.ts'
import { exposition, type Sample, sample } from '../../watch/samples.ts'
import { SlowRequests } from '../../watch/slow.ts'
import { Traces } from '../../watch/traces.ts'
import type { Live } from '../live.ts'
import { type GatewayOptions, logOf } from '../options.ts'
import type { Programs } from '../programs.ts'
import type { Sockets } from '../sockets.ts'
import { topics } from '../topics.ts'
import { Collectors } from './collectors.ts'
import { LogCounts } from './log-counts.ts'
import { Requests } from './requests.ts'
import { bookSamples, chainSamples, databaseSamples, proofSamples, snapshotSamples, workSamples } from './tables.ts'

/** Slow enough that somebody should look, and rare while all is well. */
const usualSlowMs = 1_000
const oftenMs = 5_000
const rarelyMs = 60_000

export type Metrics = AsyncDisposable & {
  readonly requests: Requests
  /** The text of `/metrics`. `problems`: of the checks of `/healthz`, by name; undefined where there is none. */
  text(health: Readonly<Record<string, string | undefined>>): Promise<string>
}

export type MetricsParts = {
  readonly options: GatewayOptions
  readonly live: Live
  readonly context: Context
  readonly programs: Pick<Programs, 'wsApi'>
  readonly sockets: Pick<Sockets, 'wss' | 'streams'>
}

/** Everything that operators watch of this exchange, gathered in its gateway. */
export async function openMetrics(parts: MetricsParts): Promise<Metrics> {
  const { options } = parts
  const { link, logger, slowMs = usualSlowMs, traces: collector, version } = options
  await using owned = new AsyncDisposableStack()
  const log = logOf(options)
  const exporter =
    collector === undefined
      ? undefined
      : new (await import('../../watch/otlp.ts')).OtlpExporter({
          ...{ url: collector, service: 'candor', version },
          onFault: (cause) => log('traces could not be sent', cause),
        })
  if (exporter !== undefined) owned.use(exporter)
  const traces = exporter && new Traces(exporter)
  if (traces !== undefined) link.onPublished(topics.commits, (times) => traces.hear(times as CommitTimes))
  const requests = new Requests(new SlowRequests(slowMs, (line) => logger.warn(line, 'slow request')), traces)
  const reports = new ToldReports()
  for (const topic of [topics.engineMetrics, topics.followerMetrics, topics.chainsMetrics])
    link.onPublished(topic, (told) => reports.hear(told as Told))
  const own = owned.use(new ProcessReport('gateway'))
  const collectors = new Collectors(collectorsOf(parts), (name, cause) => log(`metrics of ${name} could not be read`, cause))
  const kept = owned.move()
  return {
    requests,
    async text(health) {
      const read = await collectors.samples()
      const checks = Object.entries(health).map(([check, problem]) => sample('candor_health', problem === undefined ? 1 : 0, { check }))
      return exposition([...own.last.samples, ...reports.samples(), ...gatewaySamples(parts), ...requests.samples(), ...checks, ...read])
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** What this process knows by itself. */
function gatewaySamples({ options: { version, commit }, live, programs, sockets }: MetricsParts): readonly Sample[] {
  const { projection, followed, orderTimes } = live
  const { isFallback, venues } = live.feed.now()
  const { commands, ms } = projection.lag
  const { p99 } = orderTimes.now()
  return [
    sample('candor_build_info', 1, { version, commit }),
    sample('candor_process_heard_age_seconds', 0, { process: 'gateway' }),
    sample('candor_engine_link_up', live.isLinkUp ? 1 : 0),
    sample('candor_order_answer_p99_seconds', p99 === null ? Number.NaN : p99 / 1e3),
    sample('candor_tables_lag_commands', commands),
    sample('candor_tables_lag_seconds', ms / 1e3),
    sample('candor_followed_seq', followed.seq),
    sample('candor_sockets', sockets.wss.size, { kind: 'wss' }),
    sample('candor_sockets', sockets.streams.size, { kind: 'streams' }),
    sample('candor_sockets', programs.wsApi.size, { kind: 'api' }),
    sample('candor_socket_conflated_total', socketCounts.conflated),
    sample('candor_socket_cut_total', socketCounts.cut),
    sample('candor_feed_fallback', isFallback ? 1 : 0),
    ...venues.flatMap(({ name: venue, isUp, ageMs }) => [
      sample('candor_feed_up', isUp ? 1 : 0, { venue }),
      sample('candor_feed_age_seconds', ageMs / 1e3, { venue }),
    ]),
  ]
}

function collectorsOf({ options, context }: MetricsParts) {
  const { store, diskFolder, networks } = options
  const tables = { pool: store.pool, clock: Date.now }
  const audit = new LogCounts(store.pool, 'audit_log', 'candor_audit_events_total')
  const staff = new LogCounts(store.pool, 'staff_log', 'candor_staff_events_total')
  return [
    { name: 'database', minMs: oftenMs, read: () => databaseSamples(tables) },
    { name: 'snapshots', minMs: rarelyMs, read: () => snapshotSamples(tables) },
    { name: 'books', minMs: rarelyMs, read: () => bookSamples(tables) },
    { name: 'work', minMs: oftenMs, read: () => workSamples(tables) },
    { name: 'proof', minMs: oftenMs, read: () => proofSamples(tables) },
    { name: 'chains', minMs: oftenMs, read: () => chainSamples(tables) },
    { name: 'treasury', minMs: oftenMs, read: () => treasurySamples(context, options) },
    { name: 'audit', minMs: oftenMs, read: async () => [...(await audit.samples()), ...(await staff.samples())] },
    { name: 'disk', minMs: oftenMs, read: () => diskSamples(diskFolder) },
  ].filter(({ name }) => networks.length > 0 || name !== 'treasury')
}

async function diskSamples(folder: string | undefined): Promise<readonly Sample[]> {
  if (folder === undefined) return []
  const { free, total } = await diskSpace(folder)
  const deeds = lastDeeds(folder)
  const ageOf = (at: number): number => Math.max(0, Date.now() - at) / 1e3
  return [
    sample('candor_disk_free_bytes', free),
    sample('candor_disk_total_bytes', total),
    ...(deeds === undefined
      ? []
      : [sample('candor_backup_age_seconds', ageOf(deeds.backup)), sample('candor_rehearsal_age_seconds', ageOf(deeds.rehearsal))]),
  ]
}

/** Balances by the name of the network, as in all other metrics of chains. */
async function treasurySamples({ ask, pool }: Context, { networks }: GatewayOptions): Promise<readonly Sample[]> {
  const { rows } = await treasuryOf({ pool, ask, networks, clock: Date.now })
  const nameOf = new Map(networks.map(({ label, name }) => [label, name]))
  return rows.flatMap(({ network: label, asset, chain, customers }) => {
    const network = nameOf.get(label) ?? label
    const known = (text: string | null): number => (text === null ? Number.NaN : Number(text))
    return [
      ...treasuryRoles.map((role) => sample('candor_treasury_balance', known(chain[role]), { network, asset, role })),
      sample('candor_treasury_customers', known(customers), { network, asset }),
    ]
  })
}
