/** Slots of the commands and events of firms. */
import type { TierNumber } from '../../ids.ts'
import type { FirmCommand } from '../../command/firm.ts'
import type { FirmEvent } from '../../event/firm.ts'
import type { Codec } from '../command.ts'
import { USER } from '../layout.ts'
import { integer } from '../records.ts'
import * as at from './layout.ts'
import { type Read, readAssetId, readClientId, readUnits, readUserId } from '../slots.ts'

type CommandOf<T extends FirmCommand['type']> = Extract<FirmCommand, { readonly type: T }>
type EventOf<T extends FirmEvent['type']> = Extract<FirmEvent, { readonly type: T }>

export const firmCodecs: { readonly [T in FirmCommand['type']]: Codec<CommandOf<T>> } = {
  'firm.join': {
    length: () => at.FIRM_JOIN_LENGTH,
    write(command, data, start) {
      data[start + at.FIRM_MAIN] = integer(command.main, 'main')
    },
    read: (data, start) => ({
      type: 'firm.join',
      user: readUserId(data, start + USER),
      main: readUserId(data, start + at.FIRM_MAIN),
    }),
  },
  'firm.move': {
    length: () => at.FIRM_MOVE_LENGTH,
    write(command, data, start) {
      data[start + at.FIRM_TO] = integer(command.to, 'to')
      data[start + at.FIRM_ASSET] = integer(command.asset, 'asset')
      data[start + at.FIRM_AMOUNT] = integer(command.amount, 'amount')
    },
    read: (data, start) => ({
      type: 'firm.move',
      user: readUserId(data, start + USER),
      clientId: readClientId(data, start),
      to: readUserId(data, start + at.FIRM_TO),
      asset: readAssetId(data, start + at.FIRM_ASSET),
      amount: readUnits(data, start + at.FIRM_AMOUNT),
    }),
  },
  'firm.setTerms': {
    length: () => at.FIRM_TERMS_LENGTH,
    write(command, data, start) {
      data[start + at.FIRM_MAIN] = integer(command.main, 'main')
      data[start + at.FIRM_TIER] = integer(command.tier, 'tier')
      data[start + at.FIRM_WITHDRAW_MAX] = integer(command.withdrawMax, 'withdrawMax')
    },
    read: (data, start) => ({
      type: 'firm.setTerms',
      main: readUserId(data, start + at.FIRM_MAIN),
      tier: data[start + at.FIRM_TIER] as TierNumber,
      withdrawMax: readUnits(data, start + at.FIRM_WITHDRAW_MAX),
    }),
  },
}

export const firmEventCodes = { 'firm.joined': 140, 'firm.terms': 141 } as const satisfies Record<FirmEvent['type'], number>

export const firmReaders: { readonly [T in FirmEvent['type']]: Read<EventOf<T>> } = {
  'firm.joined': (data, start) => ({ type: 'firm.joined', user: readUserId(data, start + 1), main: readUserId(data, start + 2) }),
  'firm.terms': (data, start) => ({
    type: 'firm.terms',
    main: readUserId(data, start + 1),
    tier: data[start + 2] as TierNumber,
    withdrawMax: readUnits(data, start + 3),
  }),
}
