/** Cache lines that one command of the mix meets for the first time: accounts, order and neighbours, tables, level, client id. */
export const touchesPerCommand = 10
/** As large as the tables of a large exchange together. */
export const touchedBytes = 2 ** 29
const commands = 200_000

let memory: Int32Array | undefined

/** Nanoseconds of processor time of the bare touches of one command: each waits for the one before, as the core's mostly do. */
export function touches(): number {
  memory ??= new Int32Array(touchedBytes / 4).fill(1)
  const table = memory
  let at = 12_345
  const before = process.cpuUsage()
  for (let n = 0; n < commands * touchesPerCommand; n++) {
    at = (Math.imul(at, 1_664_525) + 1_013_904_222 + table[(at >>> 5) & (table.length - 1)]!) | 0
  }
  const { user, system } = process.cpuUsage(before)
  if (at === 0) process.stdout.write('')
  return ((user + system) * 1000) / commands
}
