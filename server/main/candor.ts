/** The command line: `candor COMMAND …`. Exit codes: 0 done, 1 refused or failed, 2 wrong usage. */
import { parseArgs } from 'node:util'
import { type CliCommand, failureText, type Result, UsageFault } from './command.ts'
import { createKey, deleteKey, listKeys } from './commands/apikey.ts'
import { audit } from './commands/audit.ts'
import { auditEvents } from './commands/audit-events.ts'
import { listBackups, makeBackup, rehearseRestore, restoreBackup } from './commands/backup.ts'
import { checkToken } from './commands/chains.ts'
import { drawAnchorKey, initCustody, nameSuccessor, signCustodyPolicy } from './commands/custody.ts'
import { databasePrepare, databaseUrl } from './commands/database.ts'
import { demo } from './commands/demo.ts'
import { explain } from './commands/explain.ts'
import { exportJournal } from './commands/export.ts'
import { faucet } from './commands/faucet.ts'
import { rotateHeads, rotateKeys } from './commands/keys.ts'
import { addMarket, listMarkets, setMarket } from './commands/market.ts'
import { showOption } from './commands/option.ts'
import { coldMessage, submitColdSignature } from './commands/reserves.ts'
import { showRegions } from './commands/region.ts'
import { createStaff, proposeStaffRole, proposeStaffEnrolment } from './commands/staff.ts'
import { start } from './commands/start.ts'
import { makeReport } from './commands/surveillance.ts'
import { createUser, houseUser, showUser } from './commands/user.ts'
import { verify } from './commands/verify.ts'
import { acceptWitness } from './commands/witness.ts'
import { readSettings, readVersion } from './settings.ts'

const commands: readonly CliCommand[] = [
  ...[
    start,
    createUser,
    showUser,
    houseUser,
    createKey,
    listKeys,
    deleteKey,
    rotateKeys,
    rotateHeads,
    faucet,
    demo,
    listMarkets,
    addMarket,
    setMarket,
  ],
  ...[
    showOption,
    showRegions,
    databasePrepare,
    databaseUrl,
    audit,
    auditEvents,
    explain,
    exportJournal,
    verify,
    acceptWitness,
    createStaff,
    proposeStaffRole,
    proposeStaffEnrolment,
  ],
  // A longer name before the one that it begins with.
  ...[listBackups, rehearseRestore, makeBackup, restoreBackup],
  makeReport,
  ...[initCustody, signCustodyPolicy, nameSuccessor, drawAnchorKey, checkToken, coldMessage, submitColdSignature],
]

const common = { help: { type: 'boolean' }, json: { type: 'boolean' } } as const

async function main(words: readonly string[]): Promise<number> {
  if (words[0] === '--version') return say(readVersion().version)
  const command = commands.find(({ name }) => name.split(' ').every((word, i) => words[i] === word))
  if (!command) {
    const isHelp = words.length === 0 || words.includes('--help') || words[0] === 'help'
    if (isHelp) return say(overview())
    return complain(`There is no command "${words.join(' ')}".\n\n${overview()}`)
  }
  let isJson = words.includes('--json')
  try {
    const { values, positionals } = parseArgs({
      args: words.slice(command.name.split(' ').length),
      options: { ...common, ...optionsOf(command) },
      allowPositionals: true,
      strict: true,
    })
    if (values['help']) return say(helpOf(command))
    isJson = values['json'] === true
    if (positionals.length > command.operands.length || positionals.length < neededOf(command))
      throw new UsageFault(`expected: ${usageOf(command)}`)
    for (const [name, option] of Object.entries(command.options)) {
      if (option.isRequired && !(values as Readonly<Record<string, unknown>>)[name]) throw new UsageFault(`--${name} is missing`)
    }
    const options = values as Readonly<Record<string, string | boolean | undefined>>
    return report(await command.run({ settings: readSettings(), operands: positionals, options }), isJson)
  } catch (cause) {
    const isUsage = cause instanceof UsageFault || String((cause as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
    if (isUsage) return complain(`${failureText(cause)}\nTry: candor ${command.name} --help`)
    if (isJson) process.stdout.write(`${JSON.stringify({ error: failureText(cause), ...codeOf(cause) })}\n`)
    process.stderr.write(`${failureText(cause)}\n`)
    return 1
  }
}

function report({ json, lines, isFailure }: Result, isJson: boolean): number {
  process.stdout.write(isJson ? `${JSON.stringify(json)}\n` : lines.map((line) => `${line}\n`).join(''))
  return isFailure ? 1 : 0
}

function codeOf(cause: unknown): { readonly code?: string } {
  const refusal = (cause as { refusal?: unknown }).refusal
  return typeof refusal === 'string' ? { code: refusal } : {}
}

/** Operands in brackets may be left out. */
const neededOf = ({ operands }: CliCommand): number => operands.filter((one) => !one.startsWith('[')).length

const optionsOf = (command: CliCommand) => Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]))

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`)
  return [
    'Usage: candor COMMAND [--json] [--help]',
    '',
    ...lines,
    '',
    'Settings come from the environment, .env and candor.config.json: see .env.example.',
  ].join('\n')
}

function usageOf(command: CliCommand): string {
  const options = Object.entries(command.options).map(([name, { value, isRequired }]) => {
    const word = `--${name}${value ? ` ${value}` : ''}`
    return isRequired ? word : `[${word}]`
  })
  return ['candor', command.name, ...command.operands, ...options, '[--json]'].join(' ')
}

function helpOf(command: CliCommand): string {
  const width = Math.max(0, ...Object.keys(command.options).map((name) => name.length))
  const lines = Object.entries(command.options).map(([name, { about }]) => `  --${name.padEnd(width)}  ${about}`)
  return [`${command.about}.`, '', `Usage: ${usageOf(command)}`, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

function complain(text: string): number {
  process.stderr.write(`${text}\n`)
  return 2
}

// Output must be flushed before the process ends. A closed pipe is not an error.
process.stdout.on('error', () => process.exit(1))
const code = await main(process.argv.slice(2))
process.stdout.write('', () => process.exit(code))
