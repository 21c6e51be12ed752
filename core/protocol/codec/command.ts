import type { Millis } from '../../money/brand.ts'
import type { Command, Stamp } from '../command/index.ts'
import { changeTypes } from '../command/operate.ts'
import type { Change } from '../command/operate.ts'
import { userClasses } from '../command/user.ts'
import { algoCodecs } from './algo/slots.ts'
import { chainCodecs } from './chain/slots.ts'
import { convertCodecs } from './convert/slots.ts'
import { firmCodecs } from './firm/slots.ts'
import { flag, numberOf, wordOf } from './fields.ts'
import { fundsCodecs } from './funds.ts'
import * as at from './layout.ts'
import { marginCodecs } from './margin.ts'
import { marketCodecs } from './market.ts'
import { modeCodec } from './mode.ts'
import { locateCodec, regionCodec } from './region.ts'
import { optionCodecs } from './option.ts'
import { orderListCodec } from './order-list/slots.ts'
import { referralCodecs } from './referral/slots.ts'
import { perpCodecs } from './perp.ts'
import { presaleCodecs } from './presale/slots.ts'
import { head, integer, lengthOf, opcodeOf } from './records.ts'
import type { Records } from './records.ts'
import { readClientId, readMillis, readUserId } from './slots.ts'
import type { Read } from './slots.ts'
import { spotCodecs } from './spot.ts'
import { clientIdSlots, packText, reasonSlots, unpackText } from './text.ts'

type OfType<T extends Command['type']> = Extract<Command, { readonly type: T }>

/** Format of a command in slots. `start` is the index of its record. */
export type Codec<C> = {
  readonly length: (command: C) => number
  readonly write: (command: C, data: Float64Array, start: number) => void
  readonly read: (data: Float64Array, start: number) => C
}

/** One line per command: a new command does not compile until it can be written and read. */
const codecs: { readonly [T in Command['type']]: Codec<OfType<T>> } = {
  'user.open': {
    length: () => at.OPEN_LENGTH,
    write(command, data, start) {
      data[start + at.OPEN_CLASS] = numberOf(userClasses, command.class)
      data[start + at.OPEN_REFERRER] = integer(command.referrer, 'referrer')
    },
    read: (data, start) => ({
      type: 'user.open',
      requestId: readClientId(data, start),
      class: wordOf(userClasses, data[start + at.OPEN_CLASS]!),
      referrer: readUserId(data, start + at.OPEN_REFERRER),
    }),
  },
  'user.set': {
    length: () => at.USER_SET_LENGTH,
    write(command, data, start) {
      data[start + at.USER_FROZEN] = command.isFrozen ? 1 : 0
    },
    read: (data, start) => ({
      type: 'user.set',
      user: readUserId(data, start + at.USER),
      isFrozen: flag(data[start + at.USER_FROZEN]!, 'isFrozen'),
    }),
  },
  'user.certify': {
    length: () => at.CERTIFY_LENGTH,
    write(command, data, start) {
      data[start + at.CERTIFIED] = command.isCertified ? 1 : 0
    },
    read: (data, start) => ({
      type: 'user.certify',
      user: readUserId(data, start + at.USER),
      isCertified: flag(data[start + at.CERTIFIED]!, 'isCertified'),
    }),
  },
  'user.house': {
    length: () => at.HOUSE_LENGTH,
    write(command, data, start) {
      data[start + at.HOUSE] = command.isHouse ? 1 : 0
    },
    read: (data, start) => ({
      type: 'user.house',
      user: readUserId(data, start + at.USER),
      isHouse: flag(data[start + at.HOUSE]!, 'isHouse'),
    }),
  },
  'user.rest': {
    length: () => at.REST_LENGTH,
    write(command, data, start) {
      data[start + at.REST_UNTIL] = integer(command.until, 'until')
    },
    read: (data, start) => ({
      type: 'user.rest',
      user: readUserId(data, start + at.USER),
      until: readMillis(data, start + at.REST_UNTIL),
    }),
  },
  'user.staff': {
    length: () => at.STAFF_LENGTH,
    write(command, data, start) {
      data[start + at.STAFF] = command.isStaff ? 1 : 0
    },
    read: (data, start) => ({
      type: 'user.staff',
      user: readUserId(data, start + at.USER),
      isStaff: flag(data[start + at.STAFF]!, 'isStaff'),
    }),
  },
  'exchange.operate': {
    length: ({ change }) => at.DECIDE_CHANGE + codecOf(change).length(change),
    write(command, data, start) {
      const { change } = command
      if (!isChange(change.type)) throw new Error(`${change.type} is no change that the staff decides`)
      const codec = codecOf(change)
      data[start + at.DECIDE_PROPOSER] = integer(command.proposer, 'proposer')
      data[start + at.DECIDE_APPROVER] = integer(command.approver, 'approver')
      packText(command.reason, data, start + at.DECIDE_REASON, reasonSlots)
      data.fill(0, start + at.DECIDE_CHANGE, start + at.DECIDE_CHANGE + at.BODY)
      data[start + at.DECIDE_CHANGE] = head(at.commandCodes[change.type], codec.length(change))
      codec.write(change, data, start + at.DECIDE_CHANGE)
    },
    read: (data, start) => ({
      type: 'exchange.operate',
      proposer: data[start + at.DECIDE_PROPOSER]!,
      approver: data[start + at.DECIDE_APPROVER]!,
      reason: unpackText(data, start + at.DECIDE_REASON, reasonSlots),
      change: readChange(data, start + at.DECIDE_CHANGE),
    }),
  },
  'mode.set': modeCodec,
  'user.locate': locateCodec,
  'region.operate': regionCodec,
  ...marketCodecs,
  'clock.tick': { length: () => at.BODY, write: () => undefined, read: () => ({ type: 'clock.tick' }) },
  ...fundsCodecs,
  ...chainCodecs,
  ...convertCodecs,
  ...referralCodecs,
  ...presaleCodecs,
  ...firmCodecs,
  ...algoCodecs,
  ...spotCodecs,
  'spot.placeList': orderListCodec,
  ...marginCodecs,
  ...optionCodecs,
  ...perpCodecs,
}

function codecOf(change: Change): Codec<Change> {
  return codecs[change.type] as Codec<Change>
}

const changes: ReadonlySet<string> = new Set(changeTypes)

function isChange(type: string | undefined): type is Change['type'] {
  return type !== undefined && changes.has(type)
}

/** The change in a decision. Its record has no stamp, no user and no client id. */
const readChange: Read<Change> = (data, start) => {
  const length = commandLength(data, start)
  const type = typeOfCode.get(opcodeOf(data[start]!))
  if (!isChange(type)) throw new Error('a decision about something that the staff does not decide')
  for (let i = 1; i < at.BODY; i++) if (data[start + i] !== 0) throw new Error('the change in a decision has a stamp')
  const codec = codecs[type] as Codec<Change>
  const change = codec.read(data, start)
  if (codec.length(change) !== length) throw new Error(`${type} has ${length} slots instead of ${codec.length(change)}`)
  return change
}

const typeOfCode = new Map<number, Command['type']>(Object.entries(at.commandCodes).map(([type, code]) => [code, type as Command['type']]))

/**
 * Appends one record. Values that the core would refuse (a negative amount) are written unchanged. Values that no slot can hold
 * (a fraction, an unknown word, a client id of 37 characters) throw and leave `into` unchanged.
 */
export function encodeCommand(command: Command, stamp: Stamp, into: Records): void {
  const codec = codecs[command.type] as Codec<Command>
  if (codec === undefined) throw new Error(`unknown command ${command.type}`)
  const length = codec.length(command)
  const start = into.reserve(length)
  try {
    const data = into.data
    data[start] = head(at.commandCodes[command.type], length)
    data[start + at.SEQ] = integer(stamp.seq, 'seq')
    data[start + at.AT] = integer(stamp.at, 'at')
    data[start + at.USER] = 'user' in command ? integer(command.user, 'user') : 0
    data[start + at.KEY] = integer(stamp.keyId, 'keyId')
    packText(idOf(command), data, start + at.CLIENT_ID, clientIdSlots)
    codec.write(command, data, start)
  } catch (error) {
    into.length = start
    throw error
  }
}

/** Throws when there is no complete known command at `offset`. `length`: its slots. */
export function decodeCommand(data: Float64Array, offset: number): { command: Command; stamp: Stamp; length: number } {
  const length = commandLength(data, offset)
  const type = typeOfCode.get(opcodeOf(data[offset]!))
  if (type === undefined) throw new Error(`unknown command code ${opcodeOf(data[offset]!)}`)
  for (let i = 0; i < length; i++) integer(data[offset + i]!, `slot ${i} of ${type}`)
  const codec = codecs[type] as Codec<Command>
  const command = codec.read(data, offset)
  if (codec.length(command) !== length) throw new Error(`${type} has ${length} slots instead of ${codec.length(command)}`)
  return { command, stamp: { seq: data[offset + at.SEQ]!, at: data[offset + at.AT]!, keyId: data[offset + at.KEY]! }, length }
}

/** Slots of the command at `offset`. Throws when it does not end within `data`. */
export function commandLength(data: Float64Array, offset: number): number {
  const first = data[offset]
  if (first === undefined || !Number.isSafeInteger(first)) throw new Error(`no command at slot ${offset}`)
  const length = lengthOf(first)
  if (length < at.BODY || offset + length > data.length) throw new Error(`command at slot ${offset} has no end`)
  return length
}

/** Writes the sequencer's number and time into an encoded command. */
export function stampCommand(data: Float64Array, offset: number, seq: number, atMs: Millis): void {
  data[offset + at.SEQ] = integer(seq, 'seq')
  data[offset + at.AT] = integer(atMs, 'at')
}

function idOf(command: Command): string {
  if ('clientId' in command) return command.clientId
  return 'requestId' in command ? command.requestId : ''
}
