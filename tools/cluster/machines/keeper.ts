import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from '../texts/layout.ts'
import type { Network } from './network.ts'
import { isAlive, type Process, processOf, signalFamily, signalOne } from './processes.ts'
import { until } from './until.ts'

/** A program that runs on a machine until it is told to stop; one that ends is started again, as systemd would. */
export type Program = {
  /** Such as "m1 etcd". */
  readonly name: string
  readonly machine: Machine
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** What is left for `down` if this process ends without stopping what it started. */
export type State = {
  readonly rig: Process
  readonly programs: Readonly<Record<string, Process>>
  /** Whether it made namespaces. */
  readonly isSeparate: boolean
}

type Member = { readonly program: Program; child: ChildProcess; isWanted: boolean }

const restartMs = 1_000
const stopMaxMs = 20_000
const stateFile = (folder: string): string => join(folder, 'state.json')

/** Starts programs on machines, starts again what ends, and stops all in the reverse order. */
export class Keeper implements AsyncDisposable {
  readonly #folder: string
  readonly #network: Pick<Network, 'on' | 'isSeparate'>
  readonly #say: (line: string) => void
  readonly #members = new Map<string, Member>()

  constructor(folder: string, network: Pick<Network, 'on' | 'isSeparate'>, say: (line: string) => void) {
    this.#folder = folder
    this.#network = network
    this.#say = say
    this.#save()
  }

  start(program: Program): void {
    const { name } = program
    const member: Member = { program, child: this.#spawn(program), isWanted: true }
    this.#members.set(name, member)
    this.#watch(member)
    this.#save()
  }

  /** Undefined while it is down. */
  pid(name: string): number | undefined {
    const child = this.#members.get(name)?.child
    return child?.exitCode === null && child.signalCode === null ? child.pid : undefined
  }

  /** Ends it and lets it start again. Resolves when the new one runs. */
  async restart(name: string): Promise<void> {
    const before = this.pid(name)
    if (before !== undefined) signalOne(before, 'SIGTERM')
    await until(`${name} is started again`, stopMaxMs * 2, () => {
      const pid = this.pid(name)
      return pid !== undefined && pid !== before
    })
  }

  /** Ends it for good: with SIGTERM, and after some time with SIGKILL. */
  async stop(name: string): Promise<void> {
    const member = this.#members.get(name)
    if (member === undefined) return
    member.isWanted = false
    const { pid } = member.child
    if (pid !== undefined && this.pid(name) !== undefined) await endFamily(pid)
    this.#members.delete(name)
    this.#save()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of [...this.#members.keys()].reverse()) await this.stop(name)
    rmSync(stateFile(this.#folder), { force: true })
  }

  #spawn({ name, machine, command, environment }: Program): ChildProcess {
    const [word, ...words] = [...this.#network.on(machine), ...command]
    const log = join(machine.folder, 'logs', `${name.split(' ').at(-1)}.log`)
    mkdirSync(dirname(log), { recursive: true })
    const output = openSync(log, 'a', 0o644)
    // A session of its own: Ctrl-C of a terminal reaches only the rig, which then decides the order.
    const child = spawn(word!, words, { cwd: machine.folder, env: environment, stdio: ['ignore', output, output], detached: true })
    closeSync(output)
    child.on('error', (cause) => this.#say(`${name} can’t be started: ${cause.message}`))
    return child
  }

  #watch(member: Member): void {
    const { name } = member.program
    member.child.once('exit', (code, signal) => {
      if (!member.isWanted) return
      this.#say(`${name} ended (${signal ?? `code ${code}`})`)
      void sleep(restartMs).then(() => {
        if (!member.isWanted) return
        member.child = this.#spawn(member.program)
        this.#watch(member)
        this.#save()
      })
    })
  }

  #save(): void {
    const programs: Record<string, Process> = {}
    for (const [name, { child }] of this.#members) {
      const found = child.pid === undefined ? undefined : processOf(child.pid)
      if (found !== undefined) programs[name] = found
    }
    writeFileSync(
      stateFile(this.#folder),
      JSON.stringify({ rig: processOf(process.pid)!, programs, isSeparate: this.#network.isSeparate } satisfies State),
    )
  }
}

/** What was written last; undefined when the cluster was stopped. */
export function readState(folder: string): State | undefined {
  return existsSync(stateFile(folder)) ? (JSON.parse(readFileSync(stateFile(folder), 'utf8')) as State) : undefined
}

/** Ends what a rig left behind that was killed. Exactly the processes that it wrote down. */
export async function endLeft(folder: string, { programs }: State): Promise<void> {
  for (const one of Object.values(programs).reverse()) if (isAlive(one)) await endFamily(one.pid)
  rmSync(stateFile(folder), { force: true })
}

/** A stopped process hears SIGTERM only when it goes on. */
export async function endFamily(pid: number): Promise<void> {
  const first = processOf(pid)
  if (first === undefined) return
  signalFamily(pid, 'SIGCONT')
  signalOne(pid, 'SIGTERM')
  try {
    await until(`process ${pid} ends`, stopMaxMs, () => !isAlive(first))
  } catch {
    signalFamily(pid, 'SIGKILL')
    await until(`process ${pid} ends`, stopMaxMs, () => !isAlive(first))
  }
}
