import type { Decimal } from '@candor/core/money/brand.ts'
import { Suspense, useState } from 'react'
import { loadArea } from '../../app/texts.ts'
import { Amount } from '../ui/figure.tsx'
import { later, laterSheet } from '../ui/later.tsx'
import { useShown } from './units.ts'

const load = async () => {
  const [module] = await Promise.all([import('./unit-sheet.tsx'), loadArea('costs')])
  return module
}
const UnitSheet = laterSheet(() => load().then((module) => module.UnitSheet))
const RatesNote = later(() => load().then((module) => module.RatesNote))

/** A total that is given in USDT, in the unit of the person's choice, which a tap changes. `label`: of the button that does. */
export function Total({ usdt, label }: { readonly usdt: Decimal; readonly label: string }) {
  const { unit, value, digits, date } = useShown(usdt)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <Amount value={value} min={digits} max={digits} className="max-w-full text-28 font-semibold break-words whitespace-normal!" />
        <button
          type="button"
          aria-label={`${unit}. ${label}`}
          onClick={() => setChoosing(true)}
          className="min-h-8 rounded-chip bg-s2 px-2 text-12 font-medium text-fg2"
        >
          {unit}
        </button>
      </div>
      <Suspense>
        {date !== undefined && <RatesNote date={date} />}
        {isChoosing && <UnitSheet onClose={() => setChoosing(false)} />}
      </Suspense>
    </>
  )
}
