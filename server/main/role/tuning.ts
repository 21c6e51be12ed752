/** How Node and the C library are set for each role, which is decided before its process starts. */
import { join } from 'node:path'
import { coreEnvironment } from '@candor/core/compiler-flags.ts'
import type { ProcessRole } from '../process.ts'
import { root } from '../settings.ts'

type Tuning = { readonly flags: readonly string[]; readonly environment: Readonly<Record<string, string>> }

/**
 * The follower's buffers for the database are of all sizes. By default, the C library keeps large ones that were freed for later, more
 * of them over the hours, and has a heap for each thread. Here, what has a megabyte goes back to the system at once.
 */
const followerAllocator = ['arena_max=2', 'mmap_threshold=1048576', 'trim_threshold=16777216'].map((one) => `glibc.malloc.${one}`)

const tunings: Readonly<Record<ProcessRole, Tuning>> = {
  /**
   * The engine makes few objects and many short-lived buffers. Rare collections of the young generation would leave these buffers to
   * full collections, several per second.
   */
  engine: { flags: ['--max-semi-space-size=2', '--min-semi-space-size=2'], environment: coreEnvironment },
  /**
   * Rows live until their batch is written, longer than a collection of the young generation takes to come by, so they end as garbage
   * of the old one. Node lets that grow to several times of what is in use before it collects it.
   */
  follower: {
    flags: ['--max-semi-space-size=16', '--min-semi-space-size=16', '--heap-growing-percent=100'],
    environment: { GLIBC_TUNABLES: [coreEnvironment.GLIBC_TUNABLES, ...followerAllocator].join(':') },
  },
  /**
   * The young generation keeps its size: Node would shrink it at each full collection of a quiet gateway, and several times as many
   * collections would grow it again under the next load, each copying what the requests in progress hold. Those of several gateways of
   * a machine fit in the cache of its processor together: with 32 MB each, an order costs four gateways twice as much of it.
   */
  gateway: { flags: ['--max-semi-space-size=8', '--min-semi-space-size=8'], environment: {} },
  chains: { flags: [], environment: {} },
}

const file = join(root, 'server', 'main', 'process.ts')

/** Words after `node`, and environment, of a role's process. */
export function programOf(role: ProcessRole): {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
} {
  const { flags, environment } = tunings[role]
  // The operator's own settings of the C library stay, and those of the role come after them.
  const tunables = [process.env['GLIBC_TUNABLES'], environment['GLIBC_TUNABLES']].filter(Boolean).join(':')
  return { words: [...flags, file, role], environment: { ...environment, ...(tunables === '' ? {} : { GLIBC_TUNABLES: tunables }) } }
}

/** Turns this process into that of a role: the same process id with another program. Windows has no such thing. */
export function becomeRole(role: ProcessRole): never {
  const { words, environment } = programOf(role)
  if (process.execve === undefined) throw new Error('This system can’t start a role apart.')
  return process.execve(process.execPath, [process.execPath, ...process.execArgv, ...words], { ...process.env, ...environment })
}
