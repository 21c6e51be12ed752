import { AlreadyRunning } from '../lock.ts'
import { type CliCommand, CommandFault, UsageFault } from '../command.ts'
import { type ProcessRole, processRoles } from '../process.ts'
import { becomeRole } from '../role/tuning.ts'
import { consoleUrlOf, namedUrl } from '../roles.ts'
import { startTree } from '../supervisor.ts'

export const start: CliCommand = {
  name: 'start',
  about: 'Start the exchange and print its address; Ctrl-C stops it',
  operands: [],
  options: {
    role: { type: 'string', value: 'ROLE', about: `all (default), or one of ${processRoles.join(', ')} as a process of its own` },
  },
  async run({ settings, options }) {
    const role = options['role'] ?? 'all'
    if (role !== 'all') {
      if (!(processRoles as readonly string[]).includes(String(role)))
        throw new UsageFault(`--role must be all, ${processRoles.join(' or ')}`)
      becomeRole(role as ProcessRole)
    }
    const startedAt = performance.now()
    const say = (line: string): void => void process.stderr.write(`${line}\n`)
    const stopped = new Promise<string>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
    })
    say(`Candor, data in ${settings.dataFolder}`)
    const running = await startTree(settings, say).catch((cause: unknown) => {
      if (cause instanceof AlreadyRunning) throw new CommandFault(cause.message)
      throw new CommandFault(`Candor could not start: ${(cause as Error).message}.\nThe log is in ${settings.dataFolder}/logs.`)
    })
    say(`Ready after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s. Ctrl-C stops it.\n`)
    const url = namedUrl(running.url)
    const consoleUrl = settings.consolePort === undefined ? url : consoleUrlOf(settings)
    process.stdout.write(`  Open ${url}\n\n`)
    if (running.settings.mode === 'sandbox') {
      say(`  Sent codes: ${url}/inbox    API: ${url}/docs    Operators: ${consoleUrl}/console/`)
      say('  First operator: npm run candor -- staff create EMAIL --name NAME --role administrator')
      say('  Customers to practise with: npm run candor -- demo')
    }
    await stopped
    say('Stopping …')
    await running[Symbol.asyncDispose]()
    return { json: { url: running.url }, lines: ['Stopped. The next start continues from here.'] }
  },
}
