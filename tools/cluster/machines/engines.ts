/** Which engine leads, by what the engines write into their logs. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../texts/layout.ts'

/** `atMs`: since 1970. */
export type EngineState = { readonly state: string; readonly atMs: number }

const tailBytes = 2 ** 20

/**
 * The newest state that a process wrote; undefined before its first.
 *
 * log  lines of JSON; others, and those of earlier processes, are left out
 */
export function engineStateIn(log: string, pid: number): EngineState | undefined {
  for (const line of log.split('\n').reverse()) {
    if (!line.includes('"engine state"')) continue
    const read = readLine(line)
    if (read?.pid === pid && typeof read.state === 'string') return { state: read.state, atMs: Number(read.time) }
  }
  return undefined
}

type Line = { readonly pid?: number; readonly state?: unknown; readonly time?: number }

function readLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}

/** Of the machine's engine. */
export function engineStateOf({ folder }: Machine, pid: number | undefined): EngineState | undefined {
  return pid === undefined ? undefined : engineStateIn(tailOf(join(folder, 'logs', 'engine.log')), pid)
}

/** The machine whose engine opened last: an older one that was frozen still believes that it leads. */
export function leaderOf(states: ReadonlyMap<Machine, EngineState | undefined>): Machine | undefined {
  const open = [...states].filter(([, found]) => found?.state === 'up')
  return open.sort(([, one], [, other]) => other!.atMs - one!.atMs)[0]?.[0]
}

function tailOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const from = Math.max(0, size - tailBytes)
    const bytes = Buffer.alloc(size - from)
    readSync(file, bytes, 0, bytes.length, from)
    return bytes.toString('utf8')
  } finally {
    closeSync(file)
  }
}
