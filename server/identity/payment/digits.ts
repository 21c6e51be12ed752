import { Refused } from '../../refused.ts'

/** The most common ones that no rule below covers, as lists of leaked codes show them. */
const common: ReadonlySet<string> = new Set([
  ...(['112233', '159753', '159357', '147258', '258369', '147852', '102030', '142536', '789456', '456123'] as const),
  ...(['123654', '321654', '987321', '789123', '159951', '520520', '521521', '147147', '110110', '112211'] as const),
])

/** throws  Refused PAYMENT_PASSWORD_COMMON for digits that a thief tries first: runs, repetitions, dates, and common ones */
export function checkDigits(digits: string): void {
  if (isRun(digits) || isRepetition(digits) || isDate(digits) || common.has(digits))
    throw new Refused('PAYMENT_PASSWORD_COMMON', { field: 'digits' })
}

/** 123456, 890123, 654321. */
function isRun(digits: string): boolean {
  const steps = [...digits].slice(1).map((digit, at) => (10 + Number(digit) - Number(digits[at])) % 10)
  return steps.every((step) => step === 1) || steps.every((step) => step === 9)
}

/** 111111, 121212, 123123. */
function isRepetition(digits: string): boolean {
  return [1, 2, 3].some((length) => digits.slice(0, length).repeat(6 / length) === digits)
}

/** A day, month and year in any usual order: 310184, 013184, 840131. */
function isDate(digits: string): boolean {
  const [first, second, third] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].map(Number) as [number, number, number]
  return isDay(first, second) || isDay(second, first) || isDay(third, second)
}

function isDay(day: number, month: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000, month, 0)).getUTCDate()
}
