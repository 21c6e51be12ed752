import { type CliCommand, UsageFault, withStore } from '../command.ts'

export const exportJournal: CliCommand = {
  name: 'export journal',
  about:
    'Write the auditor’s copy: the journal, its signed heads and the salts of receipts, with numbers and UIDs of customers and no other data about people. Changes nothing and may run beside the exchange',
  operands: ['FILE'],
  options: {},
  run({ settings, operands }) {
    const [path] = operands
    if (path === undefined) throw new UsageFault('FILE is missing')
    return withStore(settings, async ({ pool }) => {
      const { writeCopy } = await import('../../journal/copy/write.ts')
      const written = await writeCopy(pool, path)
      const { seq, hash, rows, heads, salts } = written
      return {
        json: { file: path, ...written },
        lines: [
          `${path}: ${rows} rows up to command ${seq}, ${heads} heads and the salts of ${salts} receipts, journal hash ${hash}`,
          'Give it to the auditor only: anybody who knows a customer’s UID can find in it what that customer did.',
          `Check it: candor audit ${path}`,
        ],
      }
    })
  },
}
