import { type CliCommand, UsageFault, withStore } from '../command.ts'

export const exportJournal: CliCommand = {
  name: 'export journal',
  about:
    'Write the auditor’s copy: the journal and its signed heads, without personal data. Changes nothing and may run beside the exchange',
  operands: ['FILE'],
  options: {},
  run({ settings, operands }) {
    const [path] = operands
    if (path === undefined) throw new UsageFault('FILE is missing')
    return withStore(settings, async ({ pool }) => {
      const { writeCopy } = await import('../../journal/copy/write.ts')
      const { seq, hash, rows, heads } = await writeCopy(pool, path)
      return {
        json: { file: path, seq, hash, rows, heads },
        lines: [`${path}: ${rows} rows up to command ${seq} and ${heads} heads, journal hash ${hash}`, `Check it: candor audit ${path}`],
      }
    })
  },
}
