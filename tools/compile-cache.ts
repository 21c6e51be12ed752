import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const variable = 'NODE_COMPILE_CACHE'

/**
 * Lets the processes that this one starts share what they have compiled: a whole exchange is a thousand modules, and loading them costs
 * two seconds of a core otherwise. Disposing removes it.
 */
export function shareCompiled(): Disposable {
  const before = process.env[variable]
  const folder = mkdtempSync(join(tmpdir(), 'candor-compiled-'))
  process.env[variable] = folder
  return {
    [Symbol.dispose]() {
      if (before === undefined) delete process.env[variable]
      else process.env[variable] = before
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
