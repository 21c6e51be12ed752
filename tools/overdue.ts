/**
 * Ends test files that are stuck. The limit of `node:test` counts for single tests only: a file whose tests are over, but which keeps
 * a socket or a process open, would never end, and the whole run with it.
 */
import { execFileSync } from 'node:child_process'
import type { run } from 'node:test'

const checkMs = 5_000

type Running = { readonly file: string; readonly since: number }

export type Limits = {
  /** A file that takes longer is ended and fails. */
  readonly fileMaxMs: number
  /** When all files together take longer, those that run are ended and `onEnd` is called. */
  readonly allMaxMs: number
  readonly onEnd: () => void
}

/** Watches the files that a run of tests starts as processes of their own. Disposing ends the watch. */
export class Overdue implements Disposable {
  readonly #limits: Limits
  readonly #running = new Map<string, Running>()
  readonly #took: { readonly file: string; readonly ms: number }[] = []
  readonly #since = performance.now()
  readonly #timer: NodeJS.Timeout

  constructor(limits: Limits) {
    this.#limits = limits
    this.#timer = setInterval(() => this.#check(), Math.min(checkMs, limits.fileMaxMs / 4)).unref()
  }

  watch(stream: ReturnType<typeof run>): void {
    stream.on('test:dequeue', ({ name, file }) => {
      if (file !== undefined && name === file) this.#running.set(file, { file, since: performance.now() })
    })
    stream.on('test:complete', ({ name, file, details, nesting }) => {
      // A file of a group is a suite of its own.
      if (nesting === 0 && details.type === 'suite' && name.endsWith('.test.ts')) this.#took.push({ file: name, ms: details.duration_ms })
      const running = file !== undefined && name === file ? this.#running.get(file) : undefined
      if (running === undefined) return
      this.#running.delete(running.file)
      this.#took.push({ file: running.file, ms: performance.now() - running.since })
    })
  }

  /** Files that took longest, the longest first. */
  slowest(count: number): readonly { readonly file: string; readonly ms: number }[] {
    return this.#took.toSorted((a, b) => b.ms - a.ms).slice(0, count)
  }

  #check(): void {
    const { fileMaxMs, allMaxMs, onEnd } = this.#limits
    const now = performance.now()
    const isOver = now - this.#since > allMaxMs
    const late = [...this.#running.values()].filter(({ since }) => isOver || now - since > fileMaxMs)
    if (late.length > 0) {
      const processes = processesNow()
      for (const { file, since } of late) {
        process.stdout.write(`${file} is not done after ${Math.round((now - since) / 1_000)} s: its processes are ended\n`)
        for (const { pid, command } of descendants(processes, process.pid)) if (command.includes(file)) endTree(processes, pid)
      }
    }
    if (isOver) onEnd()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

type Process = { readonly pid: number; readonly parent: number; readonly command: string }

function processesNow(): readonly Process[] {
  if (process.platform === 'win32') return []
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

function descendants(processes: readonly Process[], of: number): readonly Process[] {
  return processes.filter(({ parent }) => parent === of).flatMap((child) => [child, ...descendants(processes, child.pid)])
}

/** Children first, so that none is left without a parent. */
function endTree(processes: readonly Process[], pid: number): void {
  for (const one of [
    ...descendants(processes, pid)
      .map((child) => child.pid)
      .reverse(),
    pid,
  ]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}
