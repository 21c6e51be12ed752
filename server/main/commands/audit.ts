import type pg from 'pg'
import type { AuditOptions } from '../../journal/audit.ts'
import { readMode } from '../../journal/mode.ts'
import { chainsOf } from '../chains/config.ts'
import { inModeOf, type Settings } from '../settings.ts'
import { tapeKeptMs } from '../roles.ts'
import { type CliCommand, optional, UsageFault, withStore } from '../command.ts'

export const audit: CliCommand = {
  name: 'audit',
  about:
    'Replay the journal and compare all balances, sums and table rows with the result; changes nothing and may run beside the exchange',
  operands: [],
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
    return withStore(input.settings, async ({ pool }) => {
      // Loaded only here: no other command replays the journal.
      const { audit: auditJournal } = await import('../../journal/audit.ts')
      const from = given === undefined ? undefined : Number(given)
      const report = await auditJournal({ ...(await auditOptions(input.settings, pool)), from })
      const totals = Object.entries(report.totals).map(
        ([asset, { customers, exchange, outside }]) => `  ${asset}: customers ${customers}, exchange ${exchange}, outside ${outside}`,
      )
      return {
        json: report,
        lines: [
          `${report.ok ? 'Consistent' : 'NOT CONSISTENT'} up to command ${report.seq}, state ${report.hash}`,
          `Journal hash ${report.journalHash}, tables compared at command ${report.projected}`,
          ...(report.upgradedAt === 0 ? [] : [olderPart(report.upgradedAt)]),
          ...totals,
          ...report.problems.map((problem) => `  ! ${problem}`),
        ],
        isFailure: !report.ok,
      }
    })
  },
}

const olderPart = (seq: number): string => `Commands up to ${seq} were decided by the previous build and are audited with its code`

/** What the audit of a database has to know of the settings. */
export async function auditOptions(settings: Settings, pool: pg.Pool): Promise<AuditOptions> {
  return { pool, tapeKeptMs: tapeKeptMs(inModeOf(settings, await readMode(pool))), networks: chainsOf(settings)?.networks }
}
