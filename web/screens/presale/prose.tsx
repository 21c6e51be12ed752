import type { WirePresaleDetail } from '@candor/core/protocol/wire/presale.ts'
import { tagOf, useLang } from '../../app/texts.ts'

/** A text of the project in its own language. Texts that are not written in the reader's language come in English, and say so. */
export function Prose({ presale: { lang }, text }: { readonly presale: WirePresaleDetail; readonly text: string }) {
  const own = useLang((state) => state.locale)
  return (
    <p lang={lang === own ? undefined : tagOf(lang)} className="text-13 text-pretty break-words whitespace-pre-line text-fg2">
      {text}
    </p>
  )
}
