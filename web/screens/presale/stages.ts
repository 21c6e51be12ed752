/** What happens when: subscribing, the lock-up and the last release. */
import type { WirePresaleDetail } from '@candor/core/protocol/wire/presale.ts'

export type Stage = {
  readonly name: 'subscribe' | 'refund' | 'lock' | 'release'
  readonly from: number
  /** Equal to `from` for a moment. */
  readonly until: number
  readonly phase: 'past' | 'now' | 'coming'
}

type Presale = Pick<WirePresaleDetail, 'startsAt' | 'endsAt' | 'outcome' | 'schedule'>

/** The stages in order. A presale whose money all came back has neither lock-up nor release. */
export function timelineOf({ startsAt, endsAt, outcome, schedule }: Presale, now: number): readonly Stage[] {
  const stage = (name: Stage['name'], from: number, until: number): Stage => ({
    ...{ name, from, until },
    phase: now < from ? 'coming' : now < until ? 'now' : 'past',
  })
  const subscribing = stage('subscribe', startsAt, endsAt)
  if (outcome === 'cancelled')
    return [
      { ...subscribing, phase: 'past' },
      { ...stage('refund', endsAt, endsAt), phase: 'past' },
    ]
  if (outcome === 'missed') return [subscribing, stage('refund', endsAt, endsAt)]
  const last = schedule.at(-1)?.at ?? endsAt
  return [subscribing, ...(last > endsAt ? [stage('lock', endsAt, last)] : []), stage('release', last, last)]
}

type Size = { readonly width: number; readonly height: number }
type Day = Pick<WirePresaleDetail['schedule'][number], 'day' | 'percent'>

/** The released part as stairs from the end of the presale (x 0) to the last day. An SVG path; y grows downwards. */
export function stairsOf(schedule: readonly Day[], { width, height }: Size): string {
  const last = schedule.at(-1)?.day ?? 0
  const x = (day: number): string => round(last === 0 ? 0 : (day / last) * width)
  const y = (percent: number): string => round(height - (percent / 100) * height)
  const steps = schedule.map(({ day, percent }, n) => `${n === 0 ? `M0 ${y(0)}` : ''}H${x(day)}V${y(Number(percent))}`)
  return `${steps.join('')}H${round(width)}`
}

/** Where a moment lies between the end of the presale and the last release, 0 to 1; undefined outside. */
export function placeOf(schedule: WirePresaleDetail['schedule'], now: number): number | undefined {
  const [first, last] = [schedule.at(0)?.at ?? 0, schedule.at(-1)?.at ?? 0]
  return last > first && now >= first && now <= last ? (now - first) / (last - first) : undefined
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}
