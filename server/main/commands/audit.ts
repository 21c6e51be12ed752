import { audit as auditJournal } from '../../journal/audit.ts'
import { readMode } from '../../journal/mode.ts'
import { inModeOf } from '../settings.ts'
import { tapeKeptMs } from '../roles.ts'
import { type CliCommand, optional, UsageFault, withStore } from '../command.ts'

export const audit: CliCommand = {
  name: 'audit',
  about: 'Replay the journal and compare every balance, sum and row of the tables with it; changes nothing, may run beside the exchange',
  operands: [],
  options: { from: { type: 'string', value: 'SEQ', about: 'begin at the newest snapshot up to here instead of at the first command' } },
  run(input) {
    const given = optional(input, 'from')
    if (given !== undefined && !/^[0-9]{1,15}$/.test(given)) throw new UsageFault('--from must be a position in the journal')
    return withStore(input.settings, async ({ pool }) => {
      const report = await auditJournal({
        pool,
        from: given === undefined ? undefined : Number(given),
        tapeKeptMs: tapeKeptMs(inModeOf(input.settings, await readMode(pool))),
      })
      const totals = Object.entries(report.totals).map(
        ([asset, { customers, exchange, outside }]) => `  ${asset}: customers ${customers}, exchange ${exchange}, outside ${outside}`,
      )
      return {
        json: report,
        lines: [
          `${report.ok ? 'In order' : 'NOT in order'} up to command ${report.seq}, state ${report.hash}`,
          `Journal ${report.journalHash}, tables compared at ${report.projected}`,
          ...(report.upgradedAt === 0 ? [] : [olderPart(report.upgradedAt)]),
          ...totals,
          ...report.problems.map((problem) => `  ! ${problem}`),
        ],
        isFailure: !report.ok,
      }
    })
  },
}

const olderPart = (seq: number): string =>
  `Commands up to ${seq} were decided by the build before: they are audited by that build's own code`
