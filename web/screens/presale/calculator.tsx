import { useTranslation } from '../../app/translate.ts'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { plain } from './form.ts'
import { Outlook } from './outlook.tsx'
import type { OwnPresaleDetail } from '../../parts/presale/api.ts'

/** What a sum would bring. `places`: decimal places of the pay asset. */
export function Calculator({
  presale,
  places,
  value,
  onChange,
}: {
  readonly presale: OwnPresaleDetail
  readonly places: number
  readonly value: string
  readonly onChange: (text: string) => void
}) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-2">
      <NumberField
        label={`${t(presale.own === null ? 'presale.amount' : 'presale.more')} (${presale.payAsset})`}
        value={value}
        step="10"
        places={places}
        onChange={onChange}
      />
      <Outlook presale={presale} more={plain(value)} />
    </div>
  )
}
