import { constants, setPriority } from 'node:os'
import type pg from 'pg'
import { gigabytes } from '../../backup/upgrade.ts'
import { diskSpace, isFull } from '../../engine/disk.ts'
import type { AssetTotals, AuditOptions, AuditReport } from '../../journal/audit.ts'
import type { CopyReport } from '../../journal/copy/audit.ts'
import type { CopiedReceipts } from '../../journal/copy/receipts.ts'
import { readMode } from '../../journal/mode.ts'
import { chainsOf } from '../chains/config.ts'
import { inModeOf, type Settings } from '../settings.ts'
import { tapeKeptMs } from '../roles.ts'
import { type CliCommand, CommandFault, optional, type Result, UsageFault, withStore } from '../command.ts'

export const audit: CliCommand = {
  name: 'audit',
  about:
    'Replay the journal and compare all balances, sums and table rows with the result; changes nothing and may run beside the exchange. With FILE: an auditor’s copy, which needs nothing else',
  operands: ['[FILE]'],
  options: {
    from: {
      type: 'string',
      value: 'SEQ',
      about: 'start from the newest snapshot at or before this position in the journal (default: from the first command)',
    },
  },
  run(input) {
    const given = optional(input, 'from')
    if (given !== undefined && !/^[0-9]{1,15}$/.test(given)) throw new UsageFault('--from must be a position in the journal')
    const [file] = input.operands
    if (file !== undefined && given !== undefined) throw new UsageFault('--from is not for a file')
    if (file !== undefined) return auditFile(file)
    return withStore(input.settings, async ({ pool }) => {
      // Trading comes first. Not before the store is open: a database that this process started would keep its priority.
      setPriority(constants.priority.PRIORITY_LOW)
      // Loaded only here: no other command replays the journal.
      const { audit: auditJournal } = await import('../../journal/audit.ts')
      const from = given === undefined ? undefined : Number(given)
      // The disk of another database can't be measured from here.
      const folder = input.settings.databaseUrl === undefined ? input.settings.dataFolder : undefined
      const report = await auditJournal({ ...(await auditOptions(input.settings, pool, folder)), from })
      return { json: report, lines: auditLines(report, from === undefined), isFailure: !report.ok }
    })
  },
}

/** `isWhole`: nobody asked for a later beginning. */
export function auditLines(report: AuditReport, isWhole: boolean): readonly string[] {
  const { ok, from, seq, hash, journalHash, projected, upgradedAt, totals, problems } = report
  return [
    `${ok ? 'Consistent' : 'NOT CONSISTENT'} up to command ${seq}, state ${hash}`,
    `Journal hash ${journalHash}, tables compared at command ${projected}`,
    ...(upgradedAt === 0 ? [] : [olderPart(upgradedAt)]),
    ...(isWhole && from > upgradedAt ? [`The first rows of the journal are gone: nothing before the state at ${from} was checked`] : []),
    ...totalLines(totals),
    ...problems.map((problem) => `  ! ${problem}`),
  ]
}

async function auditFile(path: string): Promise<Result> {
  const { auditCopy } = await import('../../journal/copy/audit.ts')
  const report = await auditCopy(path)
  return { json: report, lines: copyLines(report), isFailure: !report.ok }
}

export function copyLines(report: CopyReport): readonly string[] {
  const { ok, from, seq, hash, journalHash, heads, key, head } = report
  const consistent = heads === 0 ? 'Consistent with itself alone' : 'Consistent'
  return [
    `${ok ? consistent : 'NOT CONSISTENT'} up to command ${seq}, state ${hash}`,
    `Journal hash ${journalHash}, ${heads === 0 ? 'no signed head' : `${heads} signed heads; first key ${key}`}`,
    ...unprovedLines(report),
    ...(from === 0 ? [] : [`The copy begins with the state at ${from}, which nothing in it proves`]),
    ...receiptLines(report.receipts),
    ...head
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `  | ${line}`),
    ...totalLines(report.totals),
    ...report.problems.map((problem) => `  ! ${problem}`),
  ]
}

/** What the copy can't prove by itself. Rows after the last head only follow from one another, and so would rows that anybody made up. */
function unprovedLines({ seq, heads, signedTo }: CopyReport): readonly string[] {
  if (heads === 0) return ['Nothing in the copy is signed: anybody could have written it. It proves nothing about the exchange']
  return [
    'Compare the key and the newest head with what is published: whoever makes up a copy can sign it with a key of their own',
    ...(signedTo < seq ? [`Commands after ${signedTo} are in no signed head: nothing in the copy proves them`] : []),
  ]
}

/** What was found about the trees of receipts; the first head that differs is among the problems. */
function receiptLines(receipts: CopiedReceipts | undefined): readonly string[] {
  if (receipts === undefined) return ['Receipts were not checked: the copy has no salts']
  const { equal, different, unknown, leaves, without, usersWithout, firstWithout } = receipts
  return [
    `Receipts: ${equal} of ${equal + different} heads name the receipts that the journal gives; ${leaves} receipts in all`,
    ...(unknown === 0 ? [] : [`Receipts of ${unknown} heads were not checked: they cover commands before the state at the beginning`]),
    ...(firstWithout === undefined
      ? []
      : [
          `In no tree: ${without} results of ${usersWithout} users before their first receipt, or who have none; the first of command ${firstWithout}`,
        ]),
  ]
}

const totalLines = (totals: Readonly<Record<string, AssetTotals>>): readonly string[] =>
  Object.entries(totals).map(
    ([asset, { customers, exchange, outside }]) => `  ${asset}: customers ${customers}, exchange ${exchange}, outside ${outside}`,
  )

const olderPart = (seq: number): string => `Commands up to ${seq} were decided by the previous build and are audited with its code`

/**
 * The options of an audit that follow from the settings.
 *
 * folder  where the database is, if it is on this machine
 */
export async function auditOptions(settings: Settings, pool: pg.Pool, folder: string | undefined): Promise<AuditOptions> {
  const { liabilityVisit } = await import('../../proof/liabilities/audit.ts')
  // Read before the tables' position, so that the replay passes it.
  const visit = await liabilityVisit(pool)
  const room = folder === undefined ? {} : { mayTake: roomIn(folder) }
  return { pool, tapeKeptMs: tapeKeptMs(inModeOf(settings, await readMode(pool))), networks: chainsOf(settings)?.networks, visit, ...room }
}

/** Refuses what would fill the disk: an exchange pauses when its disk is nearly full, and its audit must not be the reason. */
export const roomIn =
  (folder: string, measure = diskSpace): NonNullable<AuditOptions['mayTake']> =>
  async (bytes) => {
    const { free, total } = await measure(folder)
    if (isFull({ free: free - bytes, total }))
      throw new CommandFault(
        `${folder} has ${gigabytes(free)} free, and the temporary tables of the audit may take ${gigabytes(bytes)}: the disk would be full`,
      )
  }
