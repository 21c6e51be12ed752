import { algoKinds, type AlgoKind } from './names.ts'
import { useTranslation } from '../../app/translate.ts'
import { ChoiceRow } from '../ui/row.tsx'

/** The rows of TWAP and scaled orders in the list of kinds. */
export function AlgoKindRows({ onChoose }: { readonly onChoose: (kind: AlgoKind) => void }) {
  const { t } = useTranslation()
  return (
    <>
      {algoKinds.map((kind) => (
        <ChoiceRow key={kind} isOn={false} title={t(`algo.title.${kind}`)} detail={t(`algo.hint.${kind}`)} onClick={() => onChoose(kind)} />
      ))}
    </>
  )
}
