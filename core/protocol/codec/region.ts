/** Slots of the commands about regions. */
import type { Brand } from '../../money/brand.ts'
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

const placeBits = 10
const placeMask = 2 ** placeBits - 1
/** A user's regions as one number; see `homeNumber`. */
export type HomeNumber = Brand<number, 'HomeNumber'>

/** Largest number of regions of one user: of the document, the residence and the phone number. */
const homesMax = 3

/** Numbers of the regions that a `homeNumber` consists of; empty for 0. undefined: no such number. */
export function homesIn(home: HomeNumber): readonly number[] | undefined {
  if (!(Number.isInteger(home) && home >= 0 && home < 2 ** (placeBits * homesMax))) return undefined
  const homes: number[] = []
  for (let rest: number = home; rest > 0; rest >>>= placeBits) homes.push(rest & placeMask)
  return homes.every((one) => one > 0 && one < everywhere) ? homes : undefined
}

/** Number of a user's regions, joined by `+`: `DE`, `DE+FR`. 0: empty. Throws on anything else, and on more than three. */
export function homeNumber(home: string): HomeNumber {
  const homes = home === '' ? [] : home.split('+').map(regionNumber)
  if (homes.length > homesMax || homes.includes(0)) throw new Error(`no regions: ${home}`)
  return homes.reduceRight((number, one) => number * 2 ** placeBits + one, 0) as HomeNumber
}

/** Regions of a number from `homeNumber`. Throws on any other number. */
export function homeWord(home: HomeNumber): string {
  const homes = homesIn(home)
  if (homes === undefined) throw new Error(`no regions: ${home}`)
  return homes.map(regionWord).join('+')
}

/** `user.locate`. */
export const locateCodec: Codec<LocateUser> = {
  length: () => at.LOCATE_LENGTH,
  write(command, data, start) {
    data[start + at.LOCATE_REGION] = homeNumber(command.region)
  },
  read: (data, start) => ({
    type: 'user.locate',
    user: data[start + at.USER] as UserId,
    region: homeWord(data[start + at.LOCATE_REGION]! as HomeNumber),
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
