import { Records } from '@candor/core/protocol/codec/records.ts'
import { StoreFault } from '../store/fault.ts'

/** A command that was answered with a refusal: enough to answer its repeat without replaying it. */
export type RefusedCommand = { readonly seq: number; readonly refusal: number }

/** What a journal row holds, read-only when it was decoded. `commands` are stamped records, one behind the other. */
export type Payload = { readonly commands: Records; readonly refused: readonly RefusedCommand[] }

const headerSlots = 2
const refusedSlots = 2

/** Slots, little-endian: how many of commands, how many refused; the commands; number and refusal of each refused one. */
export function encodePayload({ commands, refused }: Payload): Uint8Array {
  const slots = new Float64Array(headerSlots + commands.length + refused.length * refusedSlots)
  slots[0] = commands.length
  slots[1] = refused.length
  slots.set(commands.data.subarray(0, commands.length), headerSlots)
  let at = headerSlots + commands.length
  for (const { seq, refusal } of refused) {
    slots[at++] = seq
    slots[at++] = refusal
  }
  return new Uint8Array(slots.buffer)
}

/** The commands are a view of `bytes` where those stand at a multiple of 8, as rows that were read do. */
export function decodePayload(bytes: Uint8Array): Payload {
  if (bytes.byteLength % 8 !== 0) throw new StoreFault('A journal row has no valid payload')
  const data = slotsOf(bytes)
  const { length } = data
  const commandSlots = data[0] ?? -1
  const refusedCount = data[1] ?? -1
  if (length !== headerSlots + commandSlots + refusedCount * refusedSlots) throw new StoreFault('A journal row has no valid payload')
  const commands = new Records(0)
  commands.data = data.subarray(headerSlots, headerSlots + commandSlots)
  commands.length = commandSlots
  const refused: RefusedCommand[] = []
  for (let at = headerSlots + commandSlots; at < length; at += refusedSlots) refused.push({ seq: data[at]!, refusal: data[at + 1]! })
  return { commands, refused }
}

function slotsOf(bytes: Uint8Array): Float64Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
  return new Float64Array(buffer as ArrayBuffer, byteOffset, byteLength / 8)
}
