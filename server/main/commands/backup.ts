import { backUp } from '../../backup/backup.ts'
import { noteDeed } from '../../backup/last.ts'
import { openPlace } from '../../backup/place.ts'
import { rehearse } from '../../backup/rehearse.ts'
import { restore } from '../../backup/restore.ts'
import { type Run, Runs } from '../../backup/runs.ts'
import { type Target, timeText } from '../../backup/target.ts'
import { readMode } from '../../journal/mode.ts'
import { backupKeysOf, photosFolderOf } from '../backup-settings.ts'
import { type CliCommand, CommandFault, type Input, type Option, optional, UsageFault, withStore } from '../command.ts'
import { readVersion, type Settings } from '../settings.ts'
import { auditOptions } from './audit.ts'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join, resolve } from 'node:path'

const place: Option = {
  type: 'string',
  value: 'URL',
  about: 'file:///FOLDER or s3+https://KEY_ID:SECRET@HOST/BUCKET?region=REGION (default: CANDOR_BACKUP_TO)',
}

export const makeBackup: CliCommand = {
  name: 'backup',
  about: 'Store what changed since the last backup, encrypted, while trading goes on; the first one stores everything',
  operands: [],
  options: {
    to: place,
    full: { type: 'boolean', about: 'also copy the database anew, so that a restore has less log to replay; only changed parts are sent' },
    keep: { type: 'string', value: 'N', about: 'keep the newest N full backups and the runs after them (default: all)' },
  },
  run: async (input) => {
    const { settings } = input
    const [to, keep] = [placeOf(input, 'to'), keepOf(input)]
    checkEmbedded(settings)
    const keys = backupKeysOf(settings, say)
    const began = performance.now()
    const run = await withStore(settings, async (store) => {
      // Trading comes first. Not before the store is open: a database that this process started would keep its priority.
      setPriority(constants.priority.PRIORITY_LOW)
      return backUp({
        ...{ store, dataFolder: settings.dataFolder, place: to, keys, keep, say },
        ...{ mode: (await readMode(store.pool)) ?? settings.mode, photosFolder: photosFolderOf(settings) },
        ...{ version: readVersion().version, isFull: input.options['full'] === true },
      })
    })
    await noteDeed(settings.dataFolder, 'backup')
    const seconds = (performance.now() - began) / 1_000
    const { read, sent } = run.bytes
    return {
      json: { ...shown(run), seconds },
      lines: [`${lineOf(run)}; read ${megabytes(read)}, sent ${megabytes(sent)} in ${seconds.toFixed(1)} s, to ${to.where}`],
    }
  },
}

export const listBackups: CliCommand = {
  name: 'backup list',
  about: 'List the backups of a store and check that none is missing',
  operands: [],
  options: { from: place },
  async run(input) {
    const { runs, damage } = await new Runs(placeOf(input, 'from'), backupKeysOf(input.settings)).kept()
    const isFailure = damage !== undefined
    const lines = runs.length === 0 ? ['The store has no backup.'] : runs.map(lineOf)
    return { json: { runs: runs.map(shown), damage }, lines: isFailure ? [`  ! ${damage}`, ...lines] : lines, isFailure }
  },
}

export const rehearseRestore: CliCommand = {
  name: 'backup rehearse',
  about: 'Restore the newest backup into a temporary folder, audit it there, and print one line; for a nightly job',
  operands: [],
  options: {
    from: place,
    in: { type: 'string', value: 'FOLDER', about: 'where the temporary folder is made (default: the system’s)' },
  },
  async run(input) {
    // Trading comes first, also before the database of the rehearsal.
    setPriority(constants.priority.PRIORITY_LOW)
    const { audit } = await import('../../journal/audit.ts')
    const { run, seq, bytes, restoreMs, auditMs, problems } = await rehearse({
      ...{ place: placeOf(input, 'from'), keys: backupKeysOf(input.settings), folder: optional(input, 'in') },
      audit: async (pool, dataFolder) => audit(await auditOptions(input.settings, pool, dataFolder)),
    })
    const isFailure = problems.length > 0
    if (!isFailure) await noteDeed(input.settings.dataFolder, 'rehearsal')
    const figures = `restored ${megabytes(bytes)} in ${(restoreMs / 1_000).toFixed(1)} s, audited in ${(auditMs / 1_000).toFixed(1)} s`
    const line = `Run ${run.number} of ${timeText(run.endedAt)} up to command ${seq}: ${figures}, ${isFailure ? 'NOT CONSISTENT' : 'consistent'}`
    return {
      json: { ok: !isFailure, number: run.number, endedAt: timeText(run.endedAt), seq, bytes, restoreMs, auditMs, problems },
      lines: [line, ...problems.map((problem) => `  ! ${problem}`)],
      isFailure,
    }
  },
}

export const restoreBackup: CliCommand = {
  name: 'restore',
  about: 'Restore a data folder from a backup, up to its end, a command or a time',
  operands: [],
  options: {
    from: place,
    to: { type: 'string', value: 'SEQ|TIME', about: 'the last command, or a time such as 2026-01-31T12:00:00Z (default: the newest)' },
    data: { type: 'string', value: 'FOLDER', about: 'a folder that is empty or new (default: CANDOR_DATA)' },
  },
  async run(input) {
    const { settings } = input
    const dataFolder = resolve(optional(input, 'data') ?? settings.dataFolder)
    const target = targetOf(optional(input, 'to'))
    const began = performance.now()
    const { base, last, head, bytes } = await restore({
      ...{ place: placeOf(input, 'from'), keys: backupKeysOf(settings), target, dataFolder, say },
    })
    const seconds = (performance.now() - began) / 1_000
    return {
      json: { ...head, run: last.number, base: base.number, bytes, seconds, dataFolder },
      lines: [
        `Restored to command ${head.seq} (hash ${head.hash.slice(0, 16)}…): ${megabytes(bytes)} in ${seconds.toFixed(1)} s, into ${dataFolder}`,
        ...next(last, settings),
      ],
    }
  },
}

/** What is left to do before a start. */
function next({ mode, photos }: Run, settings: Settings): readonly string[] {
  const accept = 'Next: candor witness accept, which says what was acknowledged after that and is lost; then candor audit, and start.'
  return [
    ...(photos === undefined ? ['Photos are in their bucket, not in the backup.'] : []),
    ...(photos !== undefined && settings.photos !== undefined ? ['CANDOR_PHOTOS names another place: move the folder photos there.'] : []),
    ...(mode === 'production'
      ? ['Give it the server key of this exchange (CANDOR_SERVER_KEY) and its witness, which are in no backup.']
      : []),
    accept,
  ]
}

function placeOf(input: Input, name: 'to' | 'from') {
  const url = optional(input, name) ?? input.settings.backupTo
  if (url === undefined) throw new UsageFault(`--${name} is missing, and CANDOR_BACKUP_TO is not set`)
  return openPlace(url)
}

function keepOf(input: Input): number | undefined {
  const text = optional(input, 'keep')
  if (text !== undefined && !/^[1-9][0-9]{0,3}$/.test(text)) throw new UsageFault('--keep must be a number of full backups')
  return text === undefined ? undefined : Number(text)
}

/** A position in the journal, or a time with its zone. */
export function targetOf(text: string | undefined): Target {
  if (text === undefined) return { kind: 'newest' }
  if (/^[0-9]{1,15}$/.test(text)) return { kind: 'seq', seq: Number(text) }
  const at = Date.parse(text)
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  // The parser takes 31 February for 3 March.
  if (Number.isNaN(at) || day === '' || new Date(day).toISOString().slice(0, day.length) !== day)
    throw new UsageFault('--to must be a position in the journal, or a time that exists, with its zone, such as 2026-01-31T12:00:00Z')
  return { kind: 'time', at }
}

function checkEmbedded({ databaseUrl, dataFolder }: Settings): void {
  if (databaseUrl !== undefined)
    throw new CommandFault('DATABASE_URL names your own PostgreSQL: back it up with pgBackRest, as docs/backup.md describes')
  if (!existsSync(join(dataFolder, 'postgres'))) throw new CommandFault(`There is no data in ${dataFolder}`)
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const shown = ({ number, base, line, version, endedAt, reachesTo, head, bytes }: Run) => ({
  ...{ number, isFull: base !== undefined, line, version, endedAt: timeText(endedAt), reachesTo: timeText(reachesTo) },
  ...{ seq: head.seq, hash: head.hash, bytes },
})

const lineOf = ({ number, base, endedAt, head }: Run): string =>
  `Run ${number}, ${base === undefined ? 'the log since the run before' : 'full'}, ${timeText(endedAt)}, up to command ${head.seq}`

const say = (line: string): void => void process.stderr.write(`${line}\n`)
