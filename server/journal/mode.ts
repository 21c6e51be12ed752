import { decodeCommand } from '@candor/core/protocol/codec/command.ts'
import type { Mode } from '@candor/core/protocol/command/mode.ts'
import type pg from 'pg'
import { decodePayload } from './payload.ts'
import { loadSnapshot } from './snapshots.ts'

/**
 * The mode of the data, read without recovery: from the newest snapshot's head, otherwise from the journal's first command, which
 * sets it. Undefined: no engine has written anything, or an older build left no snapshot.
 */
export async function readMode(pool: pg.Pool): Promise<Mode | undefined> {
  const { rows: newest } = await pool.query<{ seq: number; bytes: Buffer }>(
    'select seq, bytes from snapshot_chunks where chunk = 0 order by seq desc limit 1',
  )
  if (newest[0] !== undefined) {
    const { seq, bytes } = newest[0]
    // Loaded only here: a gateway has no use for the core.
    const { modeOfDump } = await import('@candor/core/exchange/dump.ts')
    // The head of an earlier build's dump does not contain the mode: its ledger does.
    const mode = modeOfDump(bytes)
    if (mode !== undefined) return mode
    const { Exchange } = await import('@candor/core/exchange/exchange.ts')
    return Exchange.restore((await loadSnapshot(pool, seq)).dump).mode
  }
  const { rows: first } = await pool.query<{ payload: Buffer }>('select payload from journal order by seq limit 1')
  if (first[0] === undefined) return undefined
  const { commands } = decodePayload(first[0].payload)
  const { command } = decodeCommand(commands.data, 0)
  return command.type === 'mode.set' ? command.mode : undefined
}
