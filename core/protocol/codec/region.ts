/** Slots of the commands about regions. */
import type { UserId } from '../ids.ts'
import type { LocateUser, OperateRegion } from '../command/region.ts'
import type { Codec } from './command.ts'
import { flag } from './fields.ts'
import * as at from './layout.ts'
import { integer } from './records.ts'
import { packText, reasonSlots, unpackText } from './text.ts'

const letters = 26
const firstLetter = 65
/** Number of `*`, all regions without a row of their own. */
export const everywhere: number = letters * letters + 1

/** Number of a region. 1 to 676: AA to ZZ; 677: `*`; 0: empty. Throws on anything else. */
export function regionNumber(region: string): number {
  if (region === '') return 0
  if (region === '*') return everywhere
  if (!/^[A-Z]{2}$/.test(region)) throw new Error(`no region: ${region}`)
  return (region.charCodeAt(0) - firstLetter) * letters + region.charCodeAt(1) - firstLetter + 1
}

/** Region of a number from `regionNumber`. Throws on any other number. */
export function regionWord(number: number): string {
  if (number === 0) return ''
  if (number === everywhere) return '*'
  if (!(Number.isInteger(number) && number > 0 && number < everywhere)) throw new Error(`no region: ${number}`)
  return String.fromCharCode(firstLetter + Math.floor((number - 1) / letters), firstLetter + ((number - 1) % letters))
}

/** `user.locate`. */
export const locateCodec: Codec<LocateUser> = {
  length: () => at.LOCATE_LENGTH,
  write(command, data, start) {
    data[start + at.LOCATE_REGION] = regionNumber(command.region)
  },
  read: (data, start) => ({
    type: 'user.locate',
    user: data[start + at.USER] as UserId,
    region: regionWord(data[start + at.LOCATE_REGION]!),
  }),
}

/** `region.operate`. */
export const regionCodec: Codec<OperateRegion> = {
  length: () => at.REGION_REASON + reasonSlots,
  write(command, data, start) {
    data[start + at.REGION] = regionNumber(command.region)
    data[start + at.REGION_LEVERAGE] = command.isLeverageOpen ? 1 : 0
    data[start + at.REGION_SECOND] = command.isSecondOpen ? 1 : 0
    data[start + at.REGION_PROPOSER] = integer(command.proposer, 'proposer')
    data[start + at.REGION_APPROVER] = integer(command.approver, 'approver')
    packText(command.reason, data, start + at.REGION_REASON, reasonSlots)
  },
  read: (data, start) => ({
    type: 'region.operate',
    region: regionWord(data[start + at.REGION]!),
    isLeverageOpen: flag(data[start + at.REGION_LEVERAGE]!, 'isLeverageOpen'),
    isSecondOpen: flag(data[start + at.REGION_SECOND]!, 'isSecondOpen'),
    proposer: data[start + at.REGION_PROPOSER]!,
    approver: data[start + at.REGION_APPROVER]!,
    reason: unpackText(data, start + at.REGION_REASON, reasonSlots),
  }),
}
