import { Records } from '@candor/core/protocol/codec/records.ts'
import { layoutOf } from '@candor/core/protocol/codec/records.ts'
import { StoreFault } from '../store/fault.ts'

/** A command that was refused: enough to answer its repeat without replaying it. */
export type RefusedCommand = { readonly seq: number; readonly refusal: number }

/** The contents of a journal row, read-only when decoded. `commands` are stamped records, one after another. */
export type Payload = { readonly commands: Records; readonly refused: readonly RefusedCommand[] }

const HEADER = layoutOf('commandSlots', 'refusedCount')
const REFUSED = layoutOf('seq', 'refusal')

/** Reserves room for the payload's head: commands are appended after it, then `sealPayload` completes it. */
export function beginPayload(into: Records): void {
  into.clear()
  into.reserve(HEADER.length)
}

/**
 * Slots, little-endian: count of commands, count of refused ones; the commands; number and refusal of each refused one. The bytes
 * are those of `records`: valid until its next change.
 */
export function sealPayload(records: Records, refused: readonly RefusedCommand[]): Uint8Array {
  const commandSlots = records.length - HEADER.length
  let at = records.reserve(refused.length * REFUSED.length)
  const { data } = records
  data[HEADER.commandSlots] = commandSlots
  data[HEADER.refusedCount] = refused.length
  for (const { seq, refusal } of refused) {
    data[at + REFUSED.seq] = seq
    data[at + REFUSED.refusal] = refusal
    at += REFUSED.length
  }
  return records.bytes()
}

export function encodePayload({ commands, refused }: Payload): Uint8Array {
  const records = new Records(HEADER.length + commands.length + refused.length * REFUSED.length)
  beginPayload(records)
  records.append(commands.data, 0, commands.length)
  return sealPayload(records, refused)
}

/** The commands are a view of `bytes` where those are aligned to 8 bytes, as in rows that were read. */
export function decodePayload(bytes: Uint8Array): Payload {
  if (bytes.byteLength % 8 !== 0) throw new StoreFault('A journal row has no valid payload')
  const data = slotsOf(bytes)
  const { length } = data
  const commandSlots = data[HEADER.commandSlots] ?? -1
  const refusedCount = data[HEADER.refusedCount] ?? -1
  if (length !== HEADER.length + commandSlots + refusedCount * REFUSED.length) throw new StoreFault('A journal row has no valid payload')
  const commands = Records.over(data.subarray(HEADER.length, HEADER.length + commandSlots))
  const refused: RefusedCommand[] = []
  for (let at = HEADER.length + commandSlots; at < length; at += REFUSED.length) {
    refused.push({ seq: data[at + REFUSED.seq]!, refusal: data[at + REFUSED.refusal]! })
  }
  return { commands, refused }
}

function slotsOf(bytes: Uint8Array): Float64Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
  return new Float64Array(buffer as ArrayBuffer, byteOffset, byteLength / 8)
}
