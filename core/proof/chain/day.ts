/** Days of the calendar in UTC as text, and times as people read them, from milliseconds alone. */

const dayMs = 86_400_000
/** From 1 March of the year 0 to 1 January 1970; days of 400 years; by the algorithm that counts years from March. */
const [epochDays, eraDays] = [719_468, 146_097]

const pad = (value: number, length: number): string => value.toString().padStart(length, '0')

/** The day of a time, as `2026-11-30`. */
export function dayOf(at: number): string {
  const days = Math.floor(at / dayMs) + epochDays
  const era = Math.floor(days / eraDays)
  const ofEra = days - era * eraDays
  const year = Math.floor((ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365)
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const day = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return `${pad(year + era * 400 + (month <= 2 ? 1 : 0), 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** The first millisecond of a day. */
export function startOf(day: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const ofEra = shifted - era * 400
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + date - 1
  return (era * eraDays + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - epochDays) * dayMs
}

/** Days from one to another; negative when it was earlier. */
export const daysBetween = (from: string, to: string): number => (startOf(to) - startOf(from)) / dayMs

/** Whether a text is a day as `dayOf` writes it, of this millennium. */
export const isDay = (text: string): boolean => /^2[0-9]{3}-[0-9]{2}-[0-9]{2}$/.test(text) && dayOf(startOf(text)) === text

/** A time as `2026-11-30T00:10:00Z`. */
export function timeText(at: number): string {
  const seconds = Math.floor((at - Math.floor(at / dayMs) * dayMs) / 1_000)
  return `${dayOf(at)}T${[Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => pad(part, 2)).join(':')}Z`
}
